/**
 * The one image of our own: `forgeline-init` and nothing else. Made on the machine from what the runner carries, so that
 * no registry is asked and no program of anybody's image runs with the rights that it has.
 */
import { pack } from "tar-stream";
import type Dockerode from "dockerode";
import { initProgram } from "../../init/program.ts";
import type { Daemon } from "./daemon.ts";
import { label } from "./labels.ts";

/** For people who look at the machine's images; it is used by its id alone. */
export const ownImageName = "forgeline/init:own";

export interface OwnImage {
  /** Its id; made now where it is not there. */
  id(): Promise<string>;
}

export function createOwnImage(docker: Dockerode, daemon: Daemon): OwnImage {
  /** Only one that this process made is trusted: anybody's image could bear the name. */
  let made: Promise<string> | null = null;

  async function make(): Promise<string> {
    const program = initProgram();
    const tar = pack();
    tar.entry({ name: "init", mode: 0o755 }, program);
    tar.finalize();
    const [repo, tag] = ownImageName.split(":");
    const changes = [`LABEL ${label.imported}=1`];
    const options = { fromSrc: "-", repo, tag, changes };
    const answer = await docker.importImage(tar as unknown as NodeJS.ReadableStream, options);
    const text = await streamText(answer);
    const id = /sha256:[0-9a-f]{64}/.exec(text)?.[0];
    if (id === undefined) throw new Error(`The daemon did not take the runner's own image: ${text.trim()}`);
    return id;
  }

  return {
    async id() {
      const known = await made?.catch(() => undefined);
      const isThere =
        known !== undefined && (await daemon.find(() => docker.getImage(known).inspect())) !== null;
      if (isThere) return known;
      made = daemon.ask(make);
      return made;
    },
  };
}

async function streamText(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
