/**
 * A TCP connection for TLS to run over, which keeps the connection's end to itself. Node takes both for the end of a TLS stream: the
 * message of TLS that nothing follows, and a connection that somebody cut. Over this one, only the message is left.
 */
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

export function withoutEnd(tcp: Socket): Duplex {
  const stream = new Duplex({
    read: () => void tcp.resume(),
    write: (chunk: Buffer, _encoding, done) => void tcp.write(chunk, done),
    final: (done) => void tcp.end(() => done()),
    destroy(error, done) {
      tcp.end();
      done(error);
    },
  });
  tcp.on("data", (chunk) => {
    if (!stream.destroyed && !stream.push(chunk)) tcp.pause();
  });
  return stream;
}
