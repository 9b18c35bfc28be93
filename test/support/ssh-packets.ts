/** Packets as no library would send them, by the inside of the client's one. */
import { once } from "node:events";
import type { Socket } from "node:net";
import type { Client } from "ssh2";

interface Inside {
  _sock: Socket;
  _protocol: {
    rekey(): void;
    _packetRW: {
      write: { allocStart: number; alloc(bytes: number): Buffer; finalize(packet: Buffer): Buffer };
    };
    _cipher: { encrypt(packet: Buffer): void };
  };
}

const inside = (client: Client) => client as unknown as Inside;

export const socketOf = (client: Client): Socket => inside(client)._sock;

/** Encrypted as all that the client sends; nothing is noted of it. Not while keys are exchanged. */
export function sendPacket(client: Client, payload: Buffer): void {
  const { _packetRW: packetRW, _cipher: cipher } = inside(client)._protocol;
  const packet = packetRW.write.alloc(payload.length);
  packet.set(payload, packetRW.write.allocStart);
  cipher.encrypt(packetRW.write.finalize(packet));
}

/** Resolves when the new keys are in use. */
export async function rekey(client: Client): Promise<void> {
  const done = once(client, "handshake");
  inside(client)._protocol.rekey();
  await done;
}

const uint32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
const text = (value: string | Buffer) =>
  Buffer.concat([uint32(Buffer.byteLength(value)), Buffer.from(value)]);
const message = (type: number, ...parts: Buffer[]) => Buffer.concat([Buffer.from([type]), ...parts]);

/** Of messages (RFC 4253, 4254). Channels by the number that the server gave, from 0 on. */
export const packets = {
  ignore: message(2, text("x")),
  globalRequest: (name: string, wantReply: boolean) =>
    message(80, text(name), Buffer.from([Number(wantReply)])),
  channelOpen: (type: string) => message(90, text(type), uint32(0), uint32(1 << 20), uint32(1 << 15)),
  windowAdjust: (channel: number, bytes: number) => message(93, uint32(channel), uint32(bytes)),
  data: (channel: number, data: Buffer) => message(94, uint32(channel), text(data)),
  env: (channel: number, name: string, value: string) =>
    message(98, uint32(channel), text("env"), Buffer.from([0]), text(name), text(value)),
};

/** The first session of a connection, with this command on it. */
export async function openRawSession(client: Client, command: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.exec(command, (error, channel) => {
    if (error) return reject(error);
    channel.resume();
    channel.stderr.resume();
    resolve();
  });
  await Promise.race([promise, once(client, "close")]);
}
