/** Repositories of a mirror bed that are pushed to targets on its other server. */
import type { MirrorSync } from "@forgeline/schemas/mirrors/resource.ts";
import type { PushMirror } from "@forgeline/schemas/push-mirrors/resource.ts";
import { eventually } from "./eventually.ts";
import type { SourceRepository } from "./git-source.ts";
import type { Mirrored, MirrorBed } from "./mirror-bed.ts";

export interface Pushed {
  repository: Mirrored;
  id: string;
  /** `/repos/ada/NAME/push-mirrors/ID` */
  at: string;
  get(): Promise<PushMirror>;
  history(): Promise<MirrorSync[]>;
  /** Asks for a sync, and waits for its end. */
  sync(): Promise<MirrorSync>;
  /** The newest sync, once none runs. */
  ended(): Promise<MirrorSync>;
  change(body: object): Promise<PushMirror>;
}

let made = 0;

/** An empty repository that can be pushed to. */
export async function createTarget(bed: MirrorBed, name = `target${made++}`): Promise<SourceRepository> {
  const target = await bed.source.create(name);
  await target.git("config", "http.receivepack", "true");
  return target;
}

/** Adds a push mirror, and waits for its first sync. */
export async function addPushMirror(
  bed: MirrorBed,
  repository: Mirrored,
  body: { url: string } & Record<string, unknown>,
): Promise<Pushed> {
  const answer = await bed.send("POST", `${repository.at}/push-mirrors`, body);
  if (answer.status !== 201) throw new Error(answer.text);
  const { id } = answer.json as PushMirror;
  const at = `${repository.at}/push-mirrors/${id}`;
  const history = async () => (await bed.send("GET", `${at}/history`)).json as MirrorSync[];
  const ended = () =>
    eventually(
      async () => {
        const [newest] = await history();
        return newest && newest.status !== "running" && newest;
      },
      { timeoutMs: 60_000 },
    );
  const pushed: Pushed = {
    repository,
    id,
    at,
    history,
    ended,
    get: async () => (await bed.send("GET", at)).json,
    async sync() {
      const before = (await ended()).id;
      const asked = await bed.send("POST", `${at}/sync`);
      if (asked.status !== 202) throw new Error(asked.text);
      await eventually(async () => (await history())[0]?.id !== before, { timeoutMs: 60_000 });
      return ended();
    },
    async change(change) {
      const changed = await bed.send("PATCH", at, change);
      if (changed.status !== 200) throw new Error(changed.text);
      return changed.json;
    },
  };
  if (body["enabled"] !== false) await ended();
  return pushed;
}

/** A commit over the API, on a branch that may not be there yet; its id. */
export async function commitHere(
  bed: MirrorBed,
  repository: Mirrored,
  { branch = "main", file = `f${made++}.txt` }: { branch?: string; file?: string } = {},
): Promise<string> {
  const body = { message: file, content: Buffer.from(file).toString("base64"), branch };
  const answer = await bed.send("PUT", `${repository.at}/contents/${file}`, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json.commit.sha;
}

/** Resolves when the target has what the repository has. */
export async function caughtUp(repository: Mirrored, target: SourceRepository): Promise<void> {
  await eventually(async () => (await repository.refs()).join() === (await target.refs()).join(), {
    timeoutMs: 60_000,
  });
}
