/** Clients of Git over both transports that stop anywhere: in their request, before it, or in what they read. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { ClientRequest } from "node:http";
import { request } from "node:https";
import { Client, type ClientChannel } from "ssh2";
import type { ApiServer, TestPerson } from "./api-server.ts";
import { delimiter, flush, packet } from "./git-packets.ts";
import type { SshClient, SshKeyFile } from "./ssh-client.ts";

export interface RawGit {
  /** A request whose body is yet to be written. */
  rpc(service: "upload-pack" | "receive-pack", headers?: object, localAddress?: string): ClientRequest;
  connection(): Promise<Client>;
  /** A command that has been answered for the first time, by the list of refs or of what can be done. */
  silent(raw: Client, command: string, env?: Record<string, string>): Promise<ClientChannel>;
  /** Git's own client, which asks for `main` with a token from the first request on. */
  lists(person: TestPerson): ReturnType<SshClient["git"]["run"]>;
  metric(name: string): Promise<number>;
  /** Cuts them all, and what was put among them. */
  endAll(): void;
  opened: { destroy(): unknown }[];
}

export function createRawGit(
  server: ApiServer,
  { fullName, ssh, key }: { fullName: string; ssh: SshClient; key: SshKeyFile },
): RawGit {
  const opened: RawGit["opened"] = [];
  const address = `${server.webUrl}/${fullName}.git`;
  return {
    opened,
    rpc(service, headers, localAddress = "127.0.0.1") {
      const call = request(`${address}/git-${service}`, {
        method: "POST",
        ca: server.ca,
        agent: false,
        localAddress,
        family: 4,
        headers: {
          "Content-Type": `application/x-git-${service}-request`,
          ...(service === "upload-pack" && { "Git-Protocol": "version=2" }),
          ...headers,
        },
      });
      call.on("error", () => undefined);
      opened.push(call);
      return call;
    },
    async connection() {
      const raw = new Client();
      raw.on("error", () => undefined);
      const privateKey = await readFile(key.file, "utf8");
      raw.connect({ host: "127.0.0.1", port: server.sshPort, username: "git", privateKey });
      await once(raw, "ready");
      opened.push({ destroy: () => raw.destroy() });
      return raw;
    },
    silent: (raw, command, env = {}) =>
      new Promise((resolve, reject) =>
        raw.exec(command, { env }, (error, channel) => {
          if (error) return reject(error);
          channel.once("data", () => resolve(channel));
        }),
      ),
    lists(person) {
      const header = `http.extraHeader=Authorization: Bearer ${person.token}`;
      return ssh.git.run(["-c", header, "ls-remote", address, "refs/heads/main"]);
    },
    async metric(name) {
      const text = await server.container.platform.metrics.metrics();
      const line = text.split("\n").find((each) => each.startsWith(`${name} `));
      return Number(line?.split(" ").at(-1) ?? Number.NaN);
    },
    endAll() {
      for (const each of opened.splice(0)) each.destroy();
    },
  };
}

/** Under protocol 2: all that this commit reaches. */
export const fetchOf = (id: string) =>
  Buffer.concat([packet("command=fetch\n"), delimiter, packet(`want ${id}\n`), packet("done\n"), flush]);
