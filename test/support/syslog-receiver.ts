/** A receiver of syslog over TLS (RFC 5425) on loopback, with the bed's certificate. Keeps the messages that came. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { readBed } from "./bed.ts";

export interface SyslogReceiver {
  port: number;
  messages: string[];
  /** Called with each connection; whether it is read. Default: it is. */
  meet(reset: () => void): boolean;
  close(): Promise<void>;
}

export const takeAll = (): boolean => true;

export async function startSyslogReceiver(): Promise<SyslogReceiver> {
  const { certFile, keyFile } = (await readBed()).certificates;
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  const open = new Set<TLSSocket>();
  const raw = new Map<number | undefined, Socket>();
  const server = createServer({ cert, key }, (socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    const reset = () => raw.get(socket.remotePort)?.resetAndDestroy();
    if (receiver.meet(reset)) void collect(socket, receiver.messages).catch(() => undefined);
  });
  server.on("connection", (socket: Socket) => raw.set(socket.remotePort, socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: SyslogReceiver = {
    port: (server.address() as AddressInfo).port,
    messages: [],
    meet: takeAll,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

/** Passes on so many pieces to a receiver, which is enough for the handshake, swallows the rest, and ends the connection as TCP does. */
export async function startCuttingProxy(
  port: number,
  pieces: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createTcpServer((client) => {
    const behind = connect(port, "127.0.0.1");
    let passed = 0;
    for (const socket of [client, behind]) socket.on("error", () => undefined);
    behind.pipe(client, { end: false });
    client.on("data", (piece) => {
      passed += 1;
      if (passed < pieces) behind.write(piece);
      else {
        behind.destroy();
        client.end();
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

/** Messages with their lengths before them (RFC 5425 4.3). */
async function collect(socket: TLSSocket, messages: string[]): Promise<void> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const space = bytes.indexOf(" ");
      if (space < 0) break;
      const end = space + 1 + Number(bytes.subarray(0, space).toString());
      if (bytes.length < end) break;
      messages.push(bytes.subarray(space + 1, end).toString("utf8"));
      bytes = bytes.subarray(end);
    }
  }
}
