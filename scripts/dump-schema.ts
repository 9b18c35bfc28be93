/**
 * Writes `server/platform/db/schema.sql`, what all migrations add up to: `node scripts/dump-schema.ts`, after each new migration.
 * Works in a database of its own on the test bed, so a standing bed must be up.
 */
import { writeFile } from "node:fs/promises";
import { migratedSchema, schemaFile } from "./dump-schema/migrated-schema.ts";

await writeFile(schemaFile, await migratedSchema());
process.stdout.write("server/platform/db/schema.sql\n");
