/** rsyslog on loopback, which takes messages over TLS and writes them to a file. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { readBed } from "./bed.ts";
import { eventually } from "./eventually.ts";

export interface Rsyslog {
  port: number;
  /** As rsyslog has understood them. */
  messages(): Promise<{ header: string; entry: unknown }[]>;
  stop(): Promise<void>;
}

export async function startRsyslog(): Promise<Rsyslog> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-rsyslog-"));
  const file = join(directory, "messages");
  const port = await freeLowPort();
  const { caFile, certFile, keyFile } = (await readBed()).certificates;
  await writeFile(
    join(directory, "rsyslog.conf"),
    `global(workDirectory="${directory}" maxMessageSize="64k"
  defaultNetstreamDriverCAFile="${caFile}" defaultNetstreamDriverCertFile="${certFile}"
  defaultNetstreamDriverKeyFile="${keyFile}")
module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="anon")
template(name="shown" type="string"
  string="%pri% %timestamp:::date-rfc3339% %hostname% %app-name% %msgid% %structured-data%\t%msg%\n")
input(type="imtcp" address="127.0.0.1" port="${port}")
action(type="omfile" file="${file}" template="shown")
`,
  );
  const child = spawn(
    "rsyslogd",
    ["-n", "-f", join(directory, "rsyslog.conf"), "-i", join(directory, "pid")],
    {
      stdio: "ignore",
    },
  );
  await eventually(() => answers(port), { timeoutMs: 20_000 });
  return {
    port,
    async messages() {
      const text = await readFile(file, "utf8").catch(() => "");
      return text
        .split("\n")
        .filter((line) => line.includes("\t"))
        .map((line) => {
          const at = line.indexOf("\t");
          return { header: line.slice(0, at), entry: JSON.parse(line.slice(at + 1)) as unknown };
        });
    },
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.on("connect", () => {
    socket.destroy();
    resolve(true);
  });
  socket.on("error", () => resolve(false));
  return promise;
}
