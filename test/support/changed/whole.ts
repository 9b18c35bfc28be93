/** What stands for everything: files that can touch each test, and tests that look at all files. */

/** A change of these says nothing about where to look. */
const touchingAll: readonly RegExp[] = [
  /^(?:package-lock|package|tsconfig)\.json$/,
  /^vitest\.config\.ts$/,
  /^server\/platform\/db\/migrations\/0001_/,
  /^test\/support\/(?:api-server|bed|database)\.ts$/,
];

export function affectsAllTests(file: string): boolean {
  return touchingAll.some((pattern) => pattern.test(file));
}

/** The contract tests that start something expensive and check one thing only. */
export const expensiveContractTests = [
  "test/contract/engine-conformance.test.ts",
  "test/contract/object-store-conformance.test.ts",
  "test/contract/schemathesis.test.ts",
];

/** Contract tests hold two sides of the sources equal, wherever these are: they run at each change. */
export function checksWholeTree(test: string): boolean {
  return test.startsWith("test/contract/") && !expensiveContractTests.includes(test);
}
