import { parentPort } from "node:worker_threads";
parentPort.on("message", (n) => parentPort.postMessage(n % 2 === 1));
