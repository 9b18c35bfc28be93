/**
 * What a REST read costs at least: Express, one indexed read through `pg`, the same body. No token, no permission, no
 * limit, no metrics. `node bare-express.ts CERTIFICATE KEY BASE_URL SSH_PORT` with FORGELINE_DATABASE_URL; prints its port.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import express from "express";
import pg from "pg";
import { createAddresses } from "@forgeline/server/platform/addresses.ts";
import { presentRepository } from "@forgeline/server/domains/hosting/repositories/present.ts";
import type { RepositoryRow } from "@forgeline/server/domains/hosting/repositories/repositories.store.ts";

const [certFile = "", keyFile = "", publicUrl = "", sshPort = ""] = process.argv.slice(2);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.env["FORGELINE_DATABASE_URL"] ?? "", max: 20 });
// The body names the ports that are open, so they are the same ones.
const addresses = createAddresses({ publicUrl, jobUrl: undefined }, { https: 0, ssh: Number(sshPort) });
const text = `select r.*, o.name as owner, o.kind as owner_kind
  from repositories r join owners o on o.id = r.owner_id
  where lower(o.name) = lower($1) and lower(r.name) = lower($2)`;

const app = express();
app.get("/api/v1/repos/:owner/:repo", async (req, res) => {
  const values = [req.params.owner, req.params.repo];
  const { rows } = await pool.query<RepositoryRow>({ name: "repository", text, values });
  const [row] = rows;
  if (row) res.json(presentRepository({ row, level: "admin", upstream: undefined }, addresses));
  else res.status(404).end();
});
const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, app);
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(0));
