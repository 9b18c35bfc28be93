/** Takes the connections that become handles of programs, each told by what it says first. */
import { createServer, type Socket } from "node:net";
import { greeting } from "./start-order.ts";

export interface ConnectionReceiver {
  /** The connection of this number, when it has come. To be requested once. */
  expect(number: number): Promise<Socket>;
}

/** Resolves when connections may come. */
export async function openConnectionReceiver(address: string, secret: string): Promise<ConnectionReceiver> {
  const { length } = greeting(secret, 0);
  const visitors = new Map<string, PromiseWithResolvers<Socket>>();

  function visitor(words: string): PromiseWithResolvers<Socket> {
    const known = visitors.get(words) ?? Promise.withResolvers<Socket>();
    visitors.set(words, known);
    return known;
  }

  function welcome(socket: Socket): void {
    socket.on("error", () => undefined);
    socket.on("readable", function look() {
      const words = (socket.read(length) as Buffer | null)?.toString("latin1");
      if (words === undefined) return;
      socket.off("readable", look);
      if (words.startsWith(secret)) visitor(words).resolve(socket);
      else socket.destroy();
    });
  }

  await new Promise<void>((resolve) => createServer(welcome).listen(address, resolve));
  return {
    async expect(number) {
      const words = greeting(secret, number);
      const socket = await visitor(words).promise;
      visitors.delete(words);
      return socket;
    },
  };
}
