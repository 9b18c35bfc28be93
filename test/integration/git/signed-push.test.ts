/** Signed pushes: who signed is recorded, what is forged or used again is refused, and who does not sign notices nothing. */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PushSignature } from "@forgeline/server/domains/hosting/pushes/push.ts";
import { insertIntent, lastRecorded } from "@forgeline/server/domains/hosting/pushes/pushes.store.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { flush, packet, packOf, sendGit, zeroId } from "../../support/git-packets.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../support/ssh-client.ts";
import { addressWithToken } from "./git-client.ts";

describe("signed pushes", () => {
  let server: ApiServer;
  let client: SshClient;
  let [ada, bob, root]: TestPerson[] = [];
  let own: SshKeyFile;
  let made = 0;

  beforeAll(async () => {
    server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
    client = await createSshClient(server);
    [ada, bob] = [await server.person("ada"), await server.person("bob")];
    root = await server.person("root", { isAdmin: true });
    own = await client.keyOf(ada);
  });
  afterAll(async () => {
    await client?.remove();
    await server?.stop();
  });

  /** A repository with one commit, and both its addresses. */
  async function repository() {
    const name = `signed-${made++}`;
    await server.api("POST", "/repos", { token: ada?.token ?? "", body: { name } });
    const tree = await client.git.workTree();
    const [https, ssh] = [
      addressWithToken(server.webUrl, `ada/${name}`, ada?.token),
      client.address(`ada/${name}`),
    ];
    await client.git.ok(["push", "-q", https, "main"], { cwd: tree });
    const head = await client.git.ok(["rev-parse", "HEAD"], { cwd: tree });
    return { name: `ada/${name}`, tree, https, ssh, head };
  }

  /** A client that signs with the key where it signs. */
  function run(tree: string, key: SshKeyFile | undefined, ...words: string[]) {
    const settings = key ? ["-c", "gpg.format=ssh", "-c", `user.signingKey=${key.file}`] : [];
    return client.git.run([...settings, "push", ...words], { cwd: tree, env: client.env(own) });
  }

  /** Pushes one more commit. */
  async function push(tree: string, address: string, key: SshKeyFile | undefined, ...options: string[]) {
    await client.git.commit(tree, { file: String(made++) });
    return run(tree, key, ...options, address, "main");
  }

  /** What the audit log says of signed pushes to the repository, newest first. */
  async function entries(name: string) {
    const token = root?.token ?? "";
    const { json } = await server.api("GET", `/admin/audit-log?action=push.signed&target=repo:${name}`, {
      token,
    });
    return json;
  }

  const fingerprintOf = ({ file }: SshKeyFile) =>
    execFileSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" }).split(" ")[1];

  it.each(["https", "ssh"] as const)("are recorded with who signed, over %s", async (transport) => {
    const { name, tree, [transport]: address } = await repository();
    expect(await push(tree, address, own, "--signed")).toMatchObject({ code: 0 });
    expect(await push(tree, address, await client.makeKey(), "--signed=if-asked")).toMatchObject({ code: 0 });
    const stolen = await client.keyOf(bob!, "ecdsa", 256);
    expect(await push(tree, address, stolen, "--signed")).toMatchObject({ code: 0 });
    const found = await entries(name);
    expect(found).toMatchObject([
      {
        actor: { username: "ada" },
        details: { signature: "unknown_key", fingerprint: fingerprintOf(stolen) },
      },
      { actor: { username: "ada" }, details: { signature: "unknown_key" } },
      {
        actor: { username: "ada" },
        target: { name },
        details: { signature: "verified", fingerprint: fingerprintOf(own), pusher: "ada" },
      },
    ]);
    const { certificate } = found[2].details;
    expect(certificate).toContain("refs/heads/main");
    expect(certificate).not.toContain(ada?.token);
    // Whoever does not trust us can check it: the text stands before its signature.
    const at = certificate.indexOf("-----BEGIN SSH SIGNATURE-----");
    const signature = join(client.git.home, `${transport}.sig`);
    await writeFile(signature, certificate.slice(at));
    const checked = execFileSync("ssh-keygen", ["-Y", "check-novalidate", "-n", "git", "-s", signature], {
      input: certificate.slice(0, at),
      encoding: "utf8",
    });
    expect(checked).toContain(fingerprintOf(own));
  });

  it("go with push options, with --atomic, and where something is deleted only", async () => {
    const { name, tree, https } = await repository();
    const key = await client.keyOf(ada!, "rsa", 3072);
    expect(await push(tree, https, key, "--signed", "--atomic", "-o", "ci.skip")).toMatchObject({ code: 0 });
    await client.git.ok(["push", "-q", https, "main:gone"], { cwd: tree });
    expect(await run(tree, key, "--signed", https, ":gone")).toMatchObject({ code: 0 });
    expect((await entries(name)).map((each: { details: object }) => each.details)).toMatchObject([
      { signature: "verified", certificate: expect.stringContaining(`${zeroId} refs/heads/gone`) },
      { signature: "verified", certificate: expect.stringContaining("push-option ci.skip\n") },
    ]);
  });

  it("are recorded with their signature, too, when a crash left them to be settled", async () => {
    const { name, head } = await repository();
    const { db, storage } = server.container.platform;
    const { pushes } = server.container.hosting;
    const row = await db.one<{ id: string }>("select id from repositories where name = $1", [name.slice(4)]);
    const ref = "refs/heads/crashed";
    execFileSync("git", ["--git-dir", storage.directory(row?.id ?? ""), "update-ref", ref, head]);
    const signature = {
      status: "verified",
      fingerprint: "SHA256:x",
      certificate: Buffer.from("text"),
      digest: "d",
    };
    const updates = [{ ref, before: zeroId, after: head }];
    const push = {
      id: newId("push"),
      repositoryId: row?.id ?? "",
      userId: ada?.id ?? "",
      username: "ada",
      cause: "push" as const,
      updates,
    };
    const more = { options: [], atomic: false, jobId: null, reach: "starts" as const };
    const intent = { ...push, ...more, signature: signature as PushSignature };
    expect(await insertIntent(db, intent, { ageMs: 0, maxRepositoryBytes: null, writer: "gone" })).toBe(
      "accepted",
    );
    await pushes.settleAll();
    expect(await entries(name)).toMatchObject([
      {
        details: {
          push_id: push.id,
          pusher: "ada",
          signature: "verified",
          fingerprint: "SHA256:x",
          certificate: "text",
        },
      },
    ]);
  });

  it("need not be: who does not sign pushes as ever, and is in no entry", async () => {
    const { name, tree, https, ssh } = await repository();
    for (const address of [https, ssh]) {
      expect(await push(tree, address, undefined)).toMatchObject({ code: 0 });
      expect(await push(tree, address, undefined, "--no-signed", "--atomic")).toMatchObject({ code: 0 });
    }
    expect(await entries(name)).toEqual([]);
  });

  describe("by hand", () => {
    /** What the server asks certificates to name. */
    async function nonceOf(name: string): Promise<string> {
      const { text } = await server.api("GET", `//${name}.git/info/refs?service=git-receive-pack`, {
        token: ada?.token ?? "",
      });
      return / push-cert=(\S+)/.exec(text)?.[1] ?? "";
    }

    function certificate(nonce: string, lines: string[], key = own): string {
      const text = `certificate version 0.1\npusher key 1 +0000\nnonce ${nonce}\n\n${lines.join("\n")}\n`;
      const signature = execFileSync("ssh-keygen", ["-Y", "sign", "-n", "git", "-f", key.file], {
        input: text,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "ignore"],
      });
      return text + signature;
    }

    const bodyOf = (text: string) =>
      Buffer.concat([
        packet("push-cert\0 report-status side-band-64k\n"),
        ...text.split(/(?<=\n)/).map((line) => packet(line)),
        packet("push-cert-end\n"),
        flush,
        packOf([]),
      ]);

    async function send(name: string, text: string): Promise<string> {
      const answer = await sendGit(server, {
        name,
        service: "receive-pack",
        token: ada?.token ?? "",
        body: bodyOf(text),
      });
      return answer.text;
    }

    async function sendBySsh(name: string, text: string): Promise<string> {
      const words = ["git@localhost", `git-receive-pack '/${name}.git'`];
      return (await client.ssh(own, words, {}, bodyOf(text))).stdout;
    }

    async function branches(name: string): Promise<string[]> {
      const { json } = await server.api("GET", `/repos/${name}/branches`, { token: ada?.token ?? "" });
      return json.map((branch: { name: string }) => branch.name);
    }

    const create = (head: string) => [`${zeroId} ${head} refs/heads/forged`];

    it("are refused when what was signed is something else", async () => {
      const { name, head } = await repository();
      const good = certificate(await nonceOf(name), create(head));
      const forged = [
        good.replace("refs/heads/forged", "refs/heads/other"),
        good.replace("pusher key", "pusher bob"),
        good.slice(0, good.indexOf("-----BEGIN")),
        good.replace(/.{8}(?=\n-----END)/, "AAAAAAAA"),
        `${good.slice(0, good.indexOf("-----BEGIN"))}${good.slice(good.indexOf("-----BEGIN")).replaceAll("SSH", "SSH ")}`,
      ];
      for (const each of forged) {
        const answer = await send(name, each);
        expect(answer).not.toContain("ok refs/");
      }
      expect(await send(name, forged[0]!)).toContain(
        "The signature of this push does not match its content.",
      );
      expect(await branches(name)).toEqual(["main"]);
      expect(await entries(name)).toEqual([]);
      expect(await send(name, good)).toContain("ok refs/heads/forged");
    });

    it("are recorded as not checked when their signature is none of SSH", async () => {
      const { name, head } = await repository();
      const text = certificate(await nonceOf(name), create(head)).split("-----BEGIN SSH")[0] ?? "";
      const armour = "-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n";
      expect(await send(name, text + armour)).toContain("ok refs/heads/forged");
      expect(await entries(name)).toMatchObject([
        { details: { signature: "unchecked", fingerprint: null, refs: ["refs/heads/forged"] } },
      ]);
    });

    it("are refused with a nonce that is not for them", async () => {
      const [here, there] = [await repository(), await repository()];
      const nonces = [await nonceOf(there.name), `1-${"0".repeat(40)}`, ""];
      for (const nonce of nonces)
        for (const push of [send, sendBySsh])
          expect(await push(here.name, certificate(nonce, create(here.head)))).toContain(
            "issued for another push or repository",
          );
      expect(await branches(here.name)).toEqual(["main"]);
    });

    it("are refused the second time, also when all is as it was before", async () => {
      const { name, head, https, tree } = await repository();
      const once = certificate(await nonceOf(name), create(head));
      expect(await send(name, once)).toContain("ok refs/heads/forged");
      await client.git.ok(["push", "-q", https, ":forged"], { cwd: tree });
      const answer = await send(name, once);
      expect(answer).toContain("already been used by another push");
      expect(await branches(name)).toEqual(["main"]);
      const found = await entries(name);
      expect(found).toHaveLength(1);
      const recorded = await lastRecorded(server.container.platform.db, found[0].target.id);
      expect(recorded.get("refs/heads/forged")).toBe(zeroId);
    });

    it("may come again after a push that was refused", async () => {
      const { name, head, https, tree } = await repository();
      await client.git.commit(tree, { file: "another" });
      await client.git.ok(["push", "-q", https, "main:taken"], { cwd: tree });
      const once = certificate(await nonceOf(name), [`${zeroId} ${head} refs/heads/taken`]);
      expect(await send(name, once)).toContain("ng refs/heads/taken");
      await client.git.ok(["push", "-q", https, ":taken"], { cwd: tree });
      expect(await send(name, once)).toContain("ok refs/heads/taken");
    });
  });
});
