/** Logins whose client sends its requests without waiting for answers, as RFC 4252 allows; OpenSSH and the clients of other tests never do. */
import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import type { Connection } from "ssh2";
import { expect, it } from "vitest";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { acceptLogin } from "@forgeline/server/edges/git-ssh/login.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { makePlainKey, type AgentKey } from "../../../../support/software-agent.ts";

const kind = "ssh-ed25519";
const fingerprintOf = ({ blob }: AgentKey) =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replaceAll("=", "")}`;

/** A server that knows these keys. */
function login(keys: readonly AgentKey[]) {
  const holders = new Map(
    keys.map((key) => [
      fingerprintOf(key),
      { keyId: "key_1", kind, publicKey: key.line, name: "ada", actor: systemActor },
    ]),
  );
  const client = new EventEmitter();
  const accepted = acceptLogin({
    client: client as Connection,
    keyHolders: { find: async (fingerprint) => holders.get(fingerprint) },
    logger: createLogger({ name: "test", level: "silent" }),
    maxKeys: 3,
    end: () => undefined,
  });
  /** Resolves with the answer. */
  const ask = (key: AgentKey, signature?: Buffer) =>
    new Promise<"accept" | "reject">((resolve) => {
      client.emit("authentication", {
        method: "publickey",
        username: "git",
        key: { algo: kind, data: key.blob },
        accept: () => resolve("accept"),
        reject: () => resolve("reject"),
        ...(signature && { signature, blob: session }),
      });
    });
  return { accepted, ask };
}

const session = Buffer.from("what is to be signed");
/** Without the name of its algorithm. */
const signedBy = (key: AgentKey) => key.sign(session).subarray(-64);

it("is the login of who signed, not of who was only offered after that", async () => {
  const [ofAda, ofBob] = [makePlainKey(), makePlainKey()];
  const { accepted, ask } = login([ofAda, ofBob]);
  const answers = [ask(ofBob), ask(ofBob, signedBy(ofBob)), ask(ofAda)];
  expect(await Promise.all(answers)).toEqual(["accept", "accept", "accept"]);
  expect(accepted.fingerprint()).toBe(fingerprintOf(ofBob));
});

it("is nobody's before a signature was checked", async () => {
  const [ofAda, ofBob] = [makePlainKey(), makePlainKey()];
  const { accepted, ask } = login([ofAda]);
  expect(await ask(ofAda)).toBe("accept");
  expect([accepted.fingerprint(), accepted.hasFailed()]).toEqual([undefined, false]);
  expect(await ask(ofAda, signedBy(ofBob))).toBe("reject");
  expect(await ask(ofBob, signedBy(ofBob))).toBe("reject");
  expect([accepted.fingerprint(), accepted.hasFailed()]).toEqual([undefined, true]);
});
