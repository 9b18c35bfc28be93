/** Dependencies of a repository, from its manifests and lock files. */
import { z } from "zod";
import { statisticsHead } from "./resource.ts";

export const Ecosystem = z.enum(["npm", "pypi", "cargo", "go", "maven"]);
export type Ecosystem = z.infer<typeof Ecosystem>;

export const DependencyScope = z
  .enum(["runtime", "development", "build", "optional", "peer"])
  .describe("What it is needed for, where the file tells; else `runtime`.");
export type DependencyScope = z.infer<typeof DependencyScope>;

export const Manifest = z
  .object({
    path: z.string(),
    ecosystem: Ecosystem,
    format: z.string().describe("The name by which the file is read, such as `requirements.txt`."),
    is_lock: z.boolean().describe("It tells what was chosen, not what is asked for."),
    problem: z.string().nullable().describe("Why the file could not be read; null when it could."),
    dependencies: z.number().int().describe("How many it names."),
  })
  .meta({ id: "Manifest" });

export const GraphNode = z
  .object({
    id: z.string().describe("Within this graph, as of `commit`."),
    manifest: z.string().describe("Path of the file that names it."),
    ecosystem: Ecosystem,
    name: z.string(),
    requirement: z.string().nullable().describe("What is asked for, such as `^1.2.0`; null: not told."),
    version: z
      .string()
      .nullable()
      .describe(
        "What was chosen; a manifest has it from the lock file beside it. null: not told, or more than one.",
      ),
    direct: z.boolean().describe("Asked for by the project itself, not only by what it depends on."),
    scope: DependencyScope,
    requires: z.array(z.string()).describe("`id`s of those that it needs: the edges that begin here."),
  })
  .meta({ id: "GraphNode" });

const edge = { manifest: "package-lock.json", ecosystem: "npm", requirement: null, requires: [] } as const;

export const DependencyGraph = z
  .object({
    ...statisticsHead,
    manifests: z.array(Manifest).describe("At most 1,000, those nearest to the top."),
    total_nodes: z.number().int().describe("Of all pages."),
    nodes: z.array(GraphNode).describe("By manifest, in the order of the file."),
  })
  .meta({
    id: "DependencyGraph",
    examples: [
      {
        state: "ready",
        commit: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        computed_at: "2026-11-21T09:00:00.000Z",
        manifests: [
          {
            path: "package-lock.json",
            ecosystem: "npm",
            format: "package-lock.json",
            is_lock: true,
            problem: null,
            dependencies: 2,
          },
        ],
        total_nodes: 2,
        nodes: [
          {
            ...edge,
            id: "package-lock.json#0",
            name: "express",
            requirement: "^5.0.0",
            version: "5.1.0",
            direct: true,
            scope: "runtime",
            requires: ["package-lock.json#1"],
          },
          {
            ...edge,
            id: "package-lock.json#1",
            name: "accepts",
            version: "2.0.0",
            direct: false,
            scope: "runtime",
          },
        ],
      },
    ],
  });
export type DependencyGraph = z.infer<typeof DependencyGraph>;
