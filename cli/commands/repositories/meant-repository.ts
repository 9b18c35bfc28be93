/** The repository that a command is about. */
import { parseRepository, type RepositoryName } from "../../connection/repository.ts";
import type { CliContext } from "../../context.ts";

/** The one that is named, that of `--repo`, or that of this checkout. Throws where none of them says which. */
export function meant(
  context: CliContext,
  name: string | undefined,
): Promise<RepositoryName> | RepositoryName {
  return name === undefined ? context.repository() : parseRepository(name);
}
