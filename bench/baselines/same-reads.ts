/**
 * What REST reads cost at least: Express, which sends the same statements through `pg` and answers with the same body. No token, no
 * permission, no limit, no metrics. `node same-reads.ts CERTIFICATE KEY READS` with FORGELINE_DATABASE_URL, where the file READS has
 * what is read at each path; prints its port.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import express from "express";
import pg from "pg";

interface Read {
  path: string;
  queries: { name?: string; text: string; values: unknown[] }[];
  body: unknown;
}

const [certFile = "", keyFile = "", readsFile = ""] = process.argv.slice(2);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.env["FORGELINE_DATABASE_URL"] ?? "", max: 20 });
const reads = JSON.parse(readFileSync(readsFile, "utf8")) as Read[];

const app = express();
for (const { path, queries, body } of reads)
  app.get(new URL(path, "https://localhost").pathname, async (_req, res) => {
    await Promise.all(queries.map((query) => pool.query(query)));
    res.json(body);
  });
const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, app);
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(0));
