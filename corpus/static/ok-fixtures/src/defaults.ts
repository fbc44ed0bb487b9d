// Shown in the documentation.
export const apiKey = "your-api-key-goes-here-1234567890";
export const connection = "postgres://user:password@localhost:5432/app";
export const awsExample = "AKIAIOSFODNN7EXAMPLE";
