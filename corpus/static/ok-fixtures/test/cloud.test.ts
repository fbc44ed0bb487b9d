const accessKey = "AKIAIOSFODNN7EXAMPLE";
const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const other = "w8Kq2vLx7RtYp4NbZc9JdHs0GmUe6Xo1QaTfWi3E";
export const fixture = { accessKey, secret, token: other, encoded: "cmVxdWlyZSgiY2hpbGRfcHJvY2VzcyIpLmV4ZWMoImlkIik=" };
