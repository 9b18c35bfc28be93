/** Entries say where an address is when the operator has a database of places. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openGeo } from "@forgeline/server/platform/geo.ts";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { writePlacesFile } from "../../../support/places-file.ts";

let directory: string;
let file: string;
let server: ApiServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-places-"));
  file = join(directory, "places.mmdb");
  await writePlacesFile(file);
  server = await startApiServer({ env: { FORGELINE_GEOIP_FILE: file } });
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

it("in the entry itself, and not in what other organizations see of it", async () => {
  const root = await server.person("root", { isAdmin: true });
  await server.api("POST", "/orgs", { token: root.token, body: { name: "acme" } });
  await server.api("POST", "/user/tokens", {
    token: root.token,
    body: { name: "phone", scopes: ["repo:read"] },
  });
  const read = async (path: string) => (await server.api("GET", path, { token: root.token })).json[0];
  const utrecht = { country: "NL", region: "Utrecht (province)", city: "Utrecht" };
  expect((await read("/orgs/acme/audit-log?action=org.create")).geo).toEqual(utrecht);
  expect((await read("/admin/audit-log?q=phone")).geo).toEqual(utrecht);
  expect((await read("/orgs/acme/audit-log?action=auth.*")).geo).toBeNull();
  expect((await server.api("GET", "/orgs/acme/audit-log/verify", { token: root.token })).json.valid).toBe(
    true,
  );
});

it("nowhere for an address that the database does not know, or of another family", async () => {
  const locate = await openGeo(file);
  expect(["203.0.113.7", "::1", "2001:db8::1"].map(locate)).toEqual([null, null, null]);
});

it("a file that is none is named at the start", async () => {
  const broken = join(directory, "broken.mmdb");
  await writeFile(broken, "no places");
  await expect(openGeo(broken)).rejects.toThrow(`FORGELINE_GEOIP_FILE ${broken} cannot be used`);
  await expect(openGeo(join(directory, "absent"))).rejects.toThrow("cannot be used");
});
