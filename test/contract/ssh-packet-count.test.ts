/** The library numbers packets where we look for the number: all that a client sends, also when keys are exchanged anew. */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import ssh2, { Client, type Connection } from "ssh2";
import { expect, test } from "vitest";
import { createPacketCount } from "@forgeline/server/edges/git-ssh/packet-count.ts";
import { packets, rekey, sendPacket } from "../support/ssh-packets.ts";

test("counts the packets of an SSH client", async () => {
  const { private: key } = ssh2.utils.generateKeyPairSync("ed25519");
  const there = Promise.withResolvers<Connection>();
  const library = new ssh2.Server({ hostKeys: [key] }, (connection) => {
    connection.on("error", () => undefined);
    there.resolve(connection);
  });
  const listener = createServer((socket) => library.injectSocket(socket)).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const client = new Client();
  client.on("error", () => undefined);
  const { port } = listener.address() as AddressInfo;
  const options = { host: "127.0.0.1", port, username: "git", authHandler: () => undefined };
  client.connect(options as Parameters<Client["connect"]>[0]);
  const connection = await there.promise;
  const count = createPacketCount();
  let counted = 0;
  const soFar = () => (counted += count(connection));
  await once(connection, "handshake");
  // Its number begins anew with the first keys, and nothing was sent with them yet but the request for a login.
  await expect.poll(soFar).toBe(1);
  for (let n = 0; n < 10; n++) sendPacket(client, packets.ignore);
  await expect.poll(soFar).toBe(11);
  const renewed = once(connection, "rekey");
  await rekey(client);
  await renewed;
  soFar();
  counted = 0;
  for (let n = 0; n < 5; n++) sendPacket(client, Buffer.from([200]));
  await expect.poll(soFar).toBe(5);
  client.end();
  listener.close();
});
