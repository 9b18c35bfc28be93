/**
 * The proxy by which an isolated browser reaches test servers: SOCKS5 (RFC 1928) on a Unix socket, for names and addresses of this machine
 * and without a login.
 */
import { rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";

export interface SocksProxy {
  /** Resolves when the relay at the other end is there. */
  open: Promise<void>;
  close(): void;
}

const version = 5;
const noLogin = Buffer.from([version, 0]);
const connected = Buffer.from([version, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
const refused = Buffer.from([version, 5, 0, 1, 0, 0, 0, 0, 0, 0]);

export async function openSocksProxy(socketFile: string): Promise<SocksProxy> {
  const open = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  let isFirst = true;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).once("close", () => sockets.delete(socket));
    if (isFirst) open.resolve();
    else void serve(socket).catch(() => socket.destroy());
    isFirst = false;
  });
  server.listen(socketFile);
  await once(server, "listening");
  return {
    open: open.promise,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      void rm(socketFile, { force: true });
    },
  };
}

async function serve(socket: Socket): Promise<void> {
  const greeting = await read(socket, 2);
  await read(socket, greeting.readUInt8(1));
  socket.write(noLogin);
  const target = connect(await readTarget(socket));
  target.once("error", () => socket.end(refused));
  socket.once("close", () => target.destroy());
  await once(target, "connect");
  target.once("close", () => socket.destroy());
  socket.write(connected);
  socket.pipe(target).pipe(socket);
}

/** Of a request to connect; rejects other requests. */
async function readTarget(socket: Socket): Promise<{ host: string; port: number }> {
  const [, command, , kind] = await read(socket, 4);
  if (command !== 1) throw new Error(`SOCKS command ${command}`);
  const host = await readHost(socket, kind);
  const port = (await read(socket, 2)).readUInt16BE(0);
  return { host: host.endsWith("localhost") ? "127.0.0.1" : host, port };
}

async function readHost(socket: Socket, kind: number | undefined): Promise<string> {
  if (kind === 1) return (await read(socket, 4)).join(".");
  if (kind === 3) return (await read(socket, (await read(socket, 1)).readUInt8(0))).toString();
  if (kind !== 4) throw new Error(`SOCKS address ${kind}`);
  return (await read(socket, 16)).toString("hex").replaceAll(/(.{4})(?!$)/g, "$1:");
}

/** Exactly so many bytes. Rejects when the socket closes before. */
async function read(socket: Socket, bytes: number): Promise<Buffer> {
  for (;;) {
    const chunk = socket.read(bytes) as Buffer | null;
    if (chunk !== null) return chunk;
    if (socket.readableEnded || socket.destroyed) throw new Error("the connection ended");
    await once(socket, "readable");
  }
}
