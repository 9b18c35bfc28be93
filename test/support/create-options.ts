/** Holds what a container is made with against the list in the runner's threat model, whatever the job's author wrote. */
import type Dockerode from "dockerode";
import { expect } from "vitest";
import { listedOptions, type ListedOption } from "./listed-options.ts";

/** All of one kind have the same, but for what varies. */
type Expected = Pick<ListedOption, "option" | "value" | "isAlways">;

const listed = listedOptions();
/** Kinds whose options are what `createOptions` says; two of `filter` are changed afterwards. */
const plainKinds = ["job", "step", "service", "helper"];

/**
 * Exactly the options that are listed for its kind, with their values. A plan that a test made up, without a label that
 * says its kind, may have what any kind has, and must have what all of them have.
 */
export function expectCaged(options: Dockerode.ContainerCreateOptions): void {
  const kind = options.Labels?.["forgeline.kind"];
  const given = flat(options);
  const allowed = kind === undefined ? ofMadeUpPlans() : ofKind(kind);
  expect(given).toEqual(expectedOf(allowed, given));
  const { Mounts = [], PidsLimit, CpuShares } = options.HostConfig ?? {};
  expect(PidsLimit).toBeGreaterThan(0);
  // What the runner itself has, as everything that says nothing.
  expect(CpuShares).toBeLessThan(1_024);
  expect(Mounts.map(({ Type }) => Type)).toEqual(Mounts.map(() => "bind"));
}

/** Names as in the list, in order. */
export function optionNames(options: Dockerode.ContainerCreateOptions): string[] {
  return Object.keys(flat(options)).toSorted();
}

/** All that containers of these kinds may be made with, in order. */
export function listedNames(kinds: readonly string[] = plainKinds): string[] {
  return [...new Set(kinds.flatMap((kind) => ofKind(kind).map(({ option }) => option)))].toSorted();
}

function flat({ HostConfig, ...options }: Dockerode.ContainerCreateOptions): Record<string, unknown> {
  const ofHost = Object.entries(HostConfig ?? {}).map(([key, value]) => [`HostConfig.${key}`, value]);
  return { ...options, ...Object.fromEntries(ofHost) };
}

function ofKind(kind: string): Expected[] {
  const rows = listed.filter(({ kinds }) => kinds === null || kinds.includes(kind));
  const names = rows.map(({ option }) => option);
  expect(names, `options of ${kind}, each once`).toEqual([...new Set(names)]);
  return rows;
}

function ofMadeUpPlans(): Expected[] {
  return listedNames().map((option) => {
    const rows = listed.filter((row) => row.option === option);
    const common = rows.find(({ kinds }) => plainKinds.every((kind) => kinds?.includes(kind) ?? true));
    if (common !== undefined) return common;
    const isAlways = plainKinds.every((kind) =>
      rows.some((row) => row.isAlways && row.kinds?.includes(kind) === true),
    );
    return { option, value: { is: "varies", words: "by kind" }, isAlways };
  });
}

function expectedOf(allowed: readonly Expected[], given: Record<string, unknown>): Record<string, unknown> {
  const needed = allowed.filter(({ option, isAlways }) => isAlways || option in given);
  return Object.fromEntries(
    needed.map(({ option, value }) => {
      if (value.is === "exactly") return [option, value.value];
      if (value.is === "as") return [option, given[value.option]];
      return [option, given[option] ?? value.words];
    }),
  );
}
