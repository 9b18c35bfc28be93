/**
 * What races of merge requests need of an instance, and a repository with its fork in which they run. The instance may be a
 * server in the test's own process, or several that are killed meanwhile.
 */
export interface Answer {
  /** 0: the connection broke, so whether it was done is not known. */
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into arbitrary answers
  json: any;
}

/** ada owns the repositories, bob and cat may write; bob has the forks. */
export type Person = "ada" | "bob" | "cat";

export interface NewBranch {
  name: string;
  /** A file with a commit of its own on top of the first commit of the repository; without one, that commit. */
  file?: string;
}

export interface RaceWorld {
  call(person: Person, method: string, path: string, body?: unknown): Promise<Answer>;
  query<R extends object>(sql: string, values?: readonly unknown[]): Promise<R[]>;
  /** In the repository itself; what it says. Rejects when Git fails. */
  git(repositoryId: string, args: readonly string[], input?: string): Promise<string>;
  /** One commit more, with a new file, on what the branch has now. */
  push(person: Person, repository: RaceRepository, to: { branch: string; file: string }): Promise<Answer>;
}

export interface RaceRepository {
  id: string;
  /** `owner/name` */
  name: string;
  /** Its first commit. */
  main: string;
}

export interface RacePlace {
  upstream: RaceRepository;
  fork: RaceRepository;
}

/**
 * One with three rules: branches `approved-…` need an approval of their newest commit, `queued-…` have a merge queue, and `several-…`
 * one that tests two batches at once.
 */
export async function makePlace(world: RaceWorld, name: string): Promise<RacePlace> {
  const ada = asking(world, "ada");
  const made = await ada("POST", "/repos", { name, visibility: "public", readme: true });
  const at = `/repos/ada/${name}`;
  for (const person of ["bob", "cat"])
    await ada("PUT", `${at}/collaborators/${person}`, { permission: "write" });
  const rule = { push_level: "write", allow_deletion: true };
  await ada("POST", `${at}/branch-protections`, {
    ...rule,
    pattern: "approved-*",
    required_approvals: 1,
    dismiss_stale_approvals: true,
  });
  await ada("POST", `${at}/branch-protections`, {
    ...rule,
    pattern: "queued-*",
    merge_queue: { max_batch: 3 },
  });
  await ada("POST", `${at}/branch-protections`, {
    ...rule,
    pattern: "several-*",
    merge_queue: { max_batch: 1, parallel_batches: 2 },
  });
  const forked = await asking(world, "bob")("POST", `${at}/forks`, {});
  const main = await world.git(made.json.id, ["rev-parse", "refs/heads/main"]);
  return {
    upstream: { id: made.json.id, name: `ada/${name}`, main },
    fork: { id: forked.json.id, name: `bob/${name}`, main },
  };
}

/** Rejects unless it succeeds: for what prepares a race. */
export function asking(world: RaceWorld, person: Person): (...asked: Asked) => Promise<Answer> {
  return async (method, path, body) => {
    const answer = await world.call(person, method, path, body);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  };
}

type Asked = [method: string, path: string, body?: unknown];

/** As `PUT /contents` does it, which is a push as any other. */
export function pushByRest(
  world: Pick<RaceWorld, "call">,
  person: Person,
  { repository, branch, file }: { repository: RaceRepository; branch: string; file: string },
): Promise<Answer> {
  const content = Buffer.from(`${file}\n`).toString("base64");
  const body = { branch, message: `Write ${file}`, content };
  return world.call(person, "PUT", `/repos/${repository.name}/contents/${file}`, body);
}

/** Branches as `git fast-import` reads them: nothing follows from them, as nobody has pushed. */
export function importOf(branches: readonly NewBranch[], main: string): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commands = branches.map(({ name, file }) => {
    const ref = `refs/heads/${name}`;
    if (file === undefined) return `reset ${ref}\nfrom ${main}\n\n`;
    const who = `author Ada <ada@example.com> 1700000000 +0000\ncommitter Ada <ada@example.com> 1700000000 +0000\n`;
    return `commit ${ref}\n${who}${data(`Write ${file}`)}from ${main}\nM 100644 inline ${file}\n${data(file)}\n`;
  });
  return `${commands.join("")}done\n`;
}
