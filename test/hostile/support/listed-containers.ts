/** Containers that a job was given, held against the table of containers in the runner's threat model. */
import { expect } from "vitest";
import { ownLayer } from "@forgeline/runner/engine/docker/own-image.ts";
import { pageTable } from "../../support/page-table.ts";
import type { AgentReport, JobImage, MadeContainer } from "./job.ts";

const page = new URL("../../../docs/architecture/job-isolation.md", import.meta.url);
const rows = pageTable(page, ["Kind", "Mounts", "Image", "Process 1", "Network", "User"]).map(
  ({ Kind, ...row }) => ({ kind: Kind.replaceAll("`", ""), ...row }),
);
type Row = (typeof rows)[number];

/** What it says of the job, which is given a CA file besides. */
export interface JobFile {
  images: Record<"job" | "step" | "service", JobImage>;
  /** Of the service. */
  command: readonly string[];
}

/** In order. */
export const kindsListed = rows.map(({ kind }) => kind).toSorted();

/** Each is as its row says, word for word. */
export async function expectAsListed(report: AgentReport, file: JobFile): Promise<void> {
  const { diffId } = await ownLayer();
  const { containers, bridges } = report;
  const made = containers.map((each) => {
    const row = rows.find(({ kind }) => kind === each.kind);
    return {
      kind: each.kind,
      Mounts: each.mounts,
      Image: imageInWords(each, file, diffId),
      "Process 1": process1InWords(each, file, row),
      Network: networkInWords(each, bridges),
      User: userInWords(each, file),
    };
  });
  const listed = made.map(({ kind, Mounts }) => {
    const row = rows.find((each) => each.kind === kind);
    return { ...row, Mounts: row && mountsListed(row, Mounts) };
  });
  expect(made).toEqual(listed);
}

/**
 * Those in brackets come with the CA file; a helper that counts has them instead of the others, and a service has its own only
 * where it names secrets, which these do not.
 */
function mountsListed({ kind, Mounts }: Row, made: readonly string[]): string[] {
  const all = [...Mounts.matchAll(/(\()?`([^`]+)`/g)];
  const always = all.filter(([, bracket]) => bracket === undefined).map(([, , mount = ""]) => mount);
  const sometimes = all.filter(([, bracket]) => bracket !== undefined).map(([, , mount = ""]) => mount);
  if (kind === "service") return always;
  if (kind !== "helper") return [...always, ...sometimes].toSorted();
  return made.some((mount) => always.includes(mount)) ? always : sometimes;
}

function isOfJob(kind: string): kind is keyof JobFile["images"] {
  return kind === "job" || kind === "step" || kind === "service";
}

function imageInWords({ image }: MadeContainer, { images }: JobFile, ownDiffId: string): string {
  const whose = Object.entries(images).filter(([, { name }]) => image.names.includes(name));
  const isOwn = image.layers.length === 1 && image.layers[0] === ownDiffId;
  return [...whose.map(([kind]) => `the ${kind}'s`), ...(isOwn ? ["ours: `/init` alone"] : [])].join(", ");
}

/** The row's own text where it has these words among others. */
function process1InWords({ entrypoint }: MadeContainer, { command }: JobFile, row?: Row): string {
  const text = entrypoint.join(" ");
  if (text === command.join(" ")) return "the image's, or as the file says";
  const words = text.replaceAll(/ \d+(?= )/g, " N").replace(/( \/job\/N)+$/, " /job/N …");
  const listed = row?.["Process 1"] ?? "";
  return listed.includes(`\`${words}\``) ? listed : words;
}

function networkInWords({ kind, network }: MadeContainer, bridges: readonly string[]): string {
  // Before a job's network another one is made, to look whether it is behind the filter.
  if (network === bridges.at(-1)) return "the job's own bridge";
  if (kind === "probe" && network === bridges[0]) return "a bridge of its own";
  return network === "host" ? "the daemon's" : network;
}

function userInWords({ kind, user, image, options }: MadeContainer, { images }: JobFile): string {
  if (isOfJob(kind))
    return user === (images[kind].user ?? image.user) ? "the image's, or as the file says" : user;
  const who = user === "0:0" ? "root" : user;
  const [capability, ...more] = options.HostConfig?.CapAdd ?? [];
  return more.length === 0 ? `${who}, with \`CAP_${capability ?? ""}\` alone` : who;
}
