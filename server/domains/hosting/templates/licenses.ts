/** Licenses by SPDX identifier, with the texts of the package `spdx-license-list`. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import { fillLicense, type LicenseHolder } from "./fill-license.ts";

export interface LicenseInfo {
  id: string;
  name: string;
  osiApproved: boolean;
  referenceUrl: string | null;
}

export interface Licenses {
  /** By identifier. */
  list(): Promise<LicenseInfo[]>;
  /** Identifiers are compared without case. */
  find(id: string): Promise<LicenseInfo | undefined>;
  /** With year and name, if the text has placeholders for them. */
  text(license: LicenseInfo, holder: LicenseHolder): Promise<string>;
}

const Listed = z.record(
  z.string(),
  z.object({ name: z.string(), url: z.string().optional(), osiApproved: z.boolean() }),
);
const WithText = z.object({ licenseText: z.string() });

const directory = dirname(createRequire(import.meta.url).resolve("spdx-license-list/spdx.json"));

export function createLicenses(): Licenses {
  let all: Promise<Map<string, LicenseInfo>> | undefined;

  async function read(): Promise<Map<string, LicenseInfo>> {
    const listed = Listed.parse(JSON.parse(await readFile(join(directory, "spdx.json"), "utf8")));
    const infos = Object.entries(listed).map(([id, { name, osiApproved, url }]) => ({
      id,
      name,
      osiApproved,
      referenceUrl: url ?? null,
    }));
    infos.sort((one, other) => (one.id.toLowerCase() < other.id.toLowerCase() ? -1 : 1));
    return new Map(infos.map((info) => [info.id.toLowerCase(), info]));
  }

  function load(): Promise<Map<string, LicenseInfo>> {
    all ??= read();
    all.catch(() => (all = undefined));
    return all;
  }

  return {
    list: async () => [...(await load()).values()],
    find: async (id) => (await load()).get(id.toLowerCase()),
    async text(license, holder) {
      const file = await readFile(join(directory, "licenses", `${license.id}.json`), "utf8");
      return fillLicense(license.id, WithText.parse(JSON.parse(file)).licenseText, holder);
    },
  };
}
