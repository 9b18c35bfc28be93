/** `forgeline repo dependencies`: what a repository depends on, as its manifests and lock files say. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { meant } from "./meant-repository.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderTable } from "../../output/table.ts";

interface DependencyOptions {
  all?: boolean;
  manifest?: string;
}

const perPage = 100;

export function dependenciesCommand(): Command {
  return new Command("dependencies")
    .argument("[owner/name]")
    .description("List the project's dependencies with the resolved versions")
    .option("--all", "include indirect dependencies")
    .option("--manifest <path>", "only dependencies of this manifest")
    .action(async (name: string | undefined, options: DependencyOptions, command: Command) => {
      const context = await contextOf(command);
      const path = await meant(context, name);
      const filters = omitUndefined({
        manifest: options.manifest,
        direct: options.all ? undefined : ("true" as const),
      });
      const nodes: Schemas["GraphNode"][] = [];
      for (let page = 1; ; page += 1) {
        const query = { ...filters, page, per_page: perPage };
        const params = { path, query };
        const graph = await valueOf(context.api.GET("/repos/{owner}/{repo}/dependency-graph", { params }));
        nodes.push(...graph.nodes);
        if (graph.nodes.length < perPage)
          return context.print({ ...graph, nodes }, () => describe(graph, nodes));
      }
    });
}

function describe({ manifests }: Schemas["DependencyGraph"], nodes: readonly Schemas["GraphNode"][]): string {
  const rows = nodes.map((node) => [
    node.manifest,
    node.name,
    node.requirement ?? "-",
    node.version ?? "-",
    node.scope,
  ]);
  const problems = manifests.flatMap(({ path, problem }) => (problem === null ? [] : [[path, problem]]));
  return [
    renderTable(["FILE", "NAME", "ASKED FOR", "CHOSEN", "FOR"], rows),
    ...(problems.length > 0 ? ["", renderTable(["FILE", "COULD NOT BE READ"], problems)] : []),
  ].join("\n");
}
