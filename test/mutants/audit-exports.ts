/** Mistakes with exports of audit logs. */
import type { Mutant } from "./mutant.ts";

const tests = ["test/integration/api/audit-exports/audit-exports.test.ts"];
const folder = "server/domains/automation/audit-exports";

export const auditExportMutants: readonly Mutant[] = [
  {
    name: "audit-exports-formulas",
    promise: "No cell of a file is a formula to a spreadsheet.",
    file: "server/domains/operation/audit/export.store.ts",
    find: "'^([-=+@\\\\t\\\\r])'",
    replace: "'^([-+@\\\\t\\\\r])'",
    tests,
  },
  {
    name: "audit-exports-for-ever",
    promise: "The address of a file expires.",
    file: `${folder}/links.ts`,
    find: "if (expires * 1000 <= Date.now())",
    replace: "if (expires * 1000 <= 0)",
    tests,
  },
  {
    name: "audit-exports-any-file",
    promise: "The address of a file opens that file alone.",
    file: `${folder}/links.ts`,
    find: 'JSON.stringify(["export", exportId, expires])',
    replace: 'JSON.stringify(["export", expires])',
    tests,
  },
  {
    name: "audit-exports-of-others",
    promise: "Who may read one log sees no exports of another.",
    file: `${folder}/audit-exports.store.ts`,
    find: "findExport: `select ${columns} ${ofLog} and x.id = $2`",
    replace:
      "findExport: `select ${columns} ${withNames} where $1::text is not distinct from $1 and x.id = $2`",
    tests,
  },
  {
    name: "audit-exports-without-bound",
    promise: "A log has at most three exports at a time.",
    file: `${folder}/service.ts`,
    find: "(await store.countOpen(tx, ownerId)) >= maxOpenExports",
    replace: "(await store.countOpen(tx, ownerId)) > 1_000",
    tests,
  },
  {
    name: "audit-exports-without-filter",
    promise: "A file has the entries that match, and no others.",
    file: "server/domains/operation/audit/export.store.ts",
    find: 'addFilters(part.filters, params).join(" and ") || "true"',
    replace: '"true"',
    tests,
  },
  {
    name: "audit-exports-keep-files",
    promise: "Files are removed after a week.",
    file: `${folder}/upkeep.ts`,
    find: "        await files.removeAll(id);\n        await store.noteRemoved(db, id);",
    replace: "        await store.noteRemoved(db, id);",
    tests,
  },
];
