/** A server of S3 on loopback, over a directory with one bucket. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { ensureVersitygw } from "./versitygw.ts";

export interface S3Gateway {
  endpoint: string;
  bucket: string;
  /** With the objects of the bucket as files. */
  directory: string;
  stop(): Promise<void>;
}

export const s3Keys = { accessKeyId: "test-access", secretAccessKey: "test-secret-key" };

/** It may take a moment until it answers. `certificates`: for TLS. */
export async function startS3Gateway(certificates?: {
  certFile: string;
  keyFile: string;
}): Promise<S3Gateway> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-s3-"));
  await mkdir(join(directory, "objects"));
  const port = await freeLowPort();
  const program = await ensureVersitygw(loadLauncherConfig().cache, console.log);
  const tls = certificates ? ["--cert", certificates.certFile, "--key", certificates.keyFile] : [];
  const child = spawn(program, ["--port", `127.0.0.1:${port}`, ...tls, "posix", directory], {
    env: { ROOT_ACCESS_KEY: s3Keys.accessKeyId, ROOT_SECRET_KEY: s3Keys.secretAccessKey },
    stdio: "ignore",
  });
  return {
    endpoint: certificates ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    bucket: "objects",
    directory: join(directory, "objects"),
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
