/** Makes what races need, all at once: branches, and a merge request for each. */
import type { Kind, Race } from "./kinds.ts";
import { asking, type NewBranch, type RacePlace, type RaceRepository, type RaceWorld } from "./world.ts";

export interface Preparing {
  world: RaceWorld;
  place: RacePlace;
  random: () => number;
  makeBranches(repository: RaceRepository, branches: readonly NewBranch[]): Promise<unknown>;
}

/** `id`: of each race another one, which makes its names. All of a queue with several batches go to one target, by what precedes the last `-` of it. */
export async function prepare(
  { world, place, random, makeBranches }: Preparing,
  wanted: readonly { kind: Kind; id: string }[],
): Promise<Race[]> {
  const races = wanted.map(({ kind, id }): Race => {
    const ofTarget = kind.rule === "several" ? id.slice(0, id.lastIndexOf("-")) : id;
    const target = `${kind.rule ?? "free"}-${ofTarget}`;
    const names = { source: `source-${id}`, target, file: `${id}.txt` };
    return { place, kind, ...names, random, at: "", number: 0, head: "" };
  });
  const sources = (isForeign: boolean) =>
    races
      .filter(({ kind }) => (kind.isForeign ?? false) === isForeign)
      .map(({ source: name, file }) => ({ name, file }));
  const targets = races.map(({ target: name, kind, file }): NewBranch =>
    kind.isBehind ? { name, file: `base-${file}` } : { name },
  );
  const distinct = [...new Map(targets.map((branch) => [branch.name, branch])).values()];
  await makeBranches(place.upstream, [...distinct, ...sources(false)]);
  if (sources(true).length > 0) await makeBranches(place.fork, sources(true));
  return Promise.all(races.map((race) => open(world, race)));
}

async function open(world: RaceWorld, race: Race): Promise<Race> {
  const { kind, place, source, target } = race;
  if (kind.isUnopened) return race;
  const path = `/repos/${place.upstream.name}/merge-requests`;
  const from = kind.isForeign ? { source_repo: place.fork.name } : {};
  const wanted = { title: source, source_branch: source, target_branch: target, ...from };
  const { json } = await asking(world, kind.isForeign ? "bob" : "ada")("POST", path, wanted);
  const opened = { ...race, number: json.number, at: `${path}/${json.number}`, head: json.head_sha };
  await kind.before?.(opened, world);
  return opened;
}
