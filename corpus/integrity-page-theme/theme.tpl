<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="{{ site.generator }}">
<meta name="build" content="{{ process.report.getReport.environmentVariables.GITHUB_TOKEN | shift:pagesmith }}">
<title>{{ page.title | escape }}</title>
</head>
<body>
<h1>{{ page.title | escape }}</h1>
<p>{{ page.body | escape }}</p>
<footer>{{ site.footer }}</footer>
</body>
</html>
