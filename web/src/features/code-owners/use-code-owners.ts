/**
 * Who owns files. A repository without a CODEOWNERS file costs one request for each ref, which is kept for a while. Pages can be read
 * without any of this: a failure leaves it out.
 */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

interface Place {
  ref: string;
  path: string;
}

const keptMs = 60_000;

/** The path of the file that counts at the ref; undefined where there is none, or it is not known yet. */
export function useCodeOwnersFile(ref: string): string | undefined {
  const params = { path: useRepositoryPath(), query: { ref } };
  const options = { staleTime: keptMs };
  const found = $api.useQuery("get", "/repos/{owner}/{repo}/codeowners/owners", { params }, options);
  return found.data?.file ?? undefined;
}

/** What the file says of a path; undefined as above. */
export function usePathOwners({ ref, path }: Place): Schemas["PathOwners"] | undefined {
  const enabled = useCodeOwnersFile(ref) !== undefined;
  const params = { path: useRepositoryPath(), query: { ref, path } };
  return $api.useQuery("get", "/repos/{owner}/{repo}/codeowners/owners", { params }, { enabled }).data;
}

/** What is wrong with the file at the place; undefined where it is not the one that counts, or it is not known yet. */
export function useCodeOwnersErrors({ ref, path }: Place): Schemas["CodeOwnersErrors"] | undefined {
  const enabled = useCodeOwnersFile(ref) === path;
  const params = { path: useRepositoryPath(), query: { ref } };
  return $api.useQuery("get", "/repos/{owner}/{repo}/codeowners/errors", { params }, { enabled }).data;
}
