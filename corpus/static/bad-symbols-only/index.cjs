module.exports = require("./start.cjs");
