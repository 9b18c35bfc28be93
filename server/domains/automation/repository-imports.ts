/** Brings repositories over from other hosts, with issues and merge requests. */
import type { Config } from "../../config/config.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { callPerId } from "../../platform/outbox/call-per-id.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/domain.ts";
import type { Collaboration } from "../collaboration/domain.ts";
import { createExamination, type Hosting } from "../hosting/domain.ts";
import type { Operation } from "../operation/domain.ts";
import { encryptedImports } from "./imports/encrypted-imports.ts";
import { createArchiveBytes } from "./imports/archives/archive-bytes.ts";
import { createImportArchiveService } from "./imports/archives/archive-service.ts";
import { createImports, endImport } from "./imports/imports.ts";
import { statements } from "./imports/imports.store.ts";
import { importKey, startImport } from "./imports/intents.ts";
import { createImportMetrics } from "./imports/metrics.ts";
import { createImportService } from "./imports/service.ts";
import { giveTexts, namingKey } from "./imports/naming-intents.ts";
import { createImportPeople } from "./imports/people.ts";
import { statements as requests } from "./imports/requests.store.ts";
import { createImportUpkeep } from "./imports/upkeep.ts";

export interface RepositoryImportDeps {
  config: Config;
  platform: Platform;
  operation: Operation;
  accounts: Accounts;
  hosting: Hosting;
  collaboration: Collaboration;
}

const transferred = "The repository got another owner.";
const deleted = "The repository was deleted.";

/** What an archive may be when it is unpacked: times its own size, and in files. */
const unpackedTimes = 10;
const maxEntries = 2_000_000;
/** As for mirrors. */
const limits = { windowMs: 10 * 60 * 1000, minBytes: 64 * 1024, wholeMs: 6 * 60 * 60 * 1000 };

export function createRepositoryImports({
  config,
  platform,
  operation,
  accounts,
  hosting,
  collaboration,
}: RepositoryImportDeps) {
  const { instanceKeys, outbox, outbound, temporal, git } = platform;
  const { taskQueue } = config.temporal;
  const encryption = instanceKeys.encryption("import");
  operation.encryptedRecords.add("imports", encryptedImports(encryption));
  outbox.handle(
    importKey,
    callPerId(importKey, importKey, (at) => startImport({ temporal, taskQueue }, at)),
  );
  outbox.handle(
    namingKey,
    callPerId(namingKey, namingKey, (id) => giveTexts({ db: platform.db, ...collaboration }, id)),
  );
  const metrics = createImportMetrics(platform.metrics);
  const archiveBytes = createArchiveBytes(platform.objects);
  const parts = { ...platform, ...hosting, users: accounts.users, encryption, metrics, archiveBytes };
  const { archiveMaxBytes } = config.imports;
  const endOpen = async (tx: Transaction, repositoryId: string, error: string) => {
    const row = await tx.one(statements.findOpenInto, [repositoryId]);
    if (row) await endImport(hosting, tx, { row, status: "failed", error });
  };
  // The new owner named nobody, and gave no token.
  hosting.onTransfer(async (tx, repositoryId) => {
    await endOpen(tx, repositoryId, transferred);
    await tx.query(statements.forgetUsers, [repositoryId]);
    await tx.query(requests.removeInto, [repositoryId]);
  });
  // A waiting import would keep its token, and its place among those that its person may run.
  hosting.onDeletion((tx, repositoryId) => endOpen(tx, repositoryId, deleted));
  return {
    importUpkeep: createImportUpkeep(parts),
    importArchives: createImportArchiveService({ ...parts, maxArchiveBytes: archiveMaxBytes }),
    importPeople: createImportPeople({
      ...parts,
      addresses: platform.addresses,
      importWriter: collaboration.importWriter,
    }),
    importService: createImportService({ ...parts, mayDial: outbound.mayDial }),
    imports: createImports({
      ...parts,
      importWriter: collaboration.importWriter,
      examineContent: createExamination({ git, maxFileBytes: config.maxFileBytes }),
      limits: { ...limits, maxBytes: config.maxRepositoryBytes },
      archiveBounds: { maxBytes: unpackedTimes * archiveMaxBytes, maxEntries },
    }),
  };
}
