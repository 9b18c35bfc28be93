/** Draws something about another repository than the one of the address, once it is known. */
import type { ReactNode } from "react";
import { $api } from "../../api/client.ts";
import { OtherRepository } from "./use-repository.ts";

interface InRepositoryProps {
  /** Full name; undefined: the repository of the address. */
  name: string | undefined;
  children: ReactNode;
}

export function InRepository({ name, children }: InRepositoryProps) {
  return name === undefined ? children : <InOther name={name}>{children}</InOther>;
}

function InOther({ name, children }: { name: string; children: ReactNode }) {
  const [owner = "", repo = ""] = name.split("/");
  const repository = $api.useQuery("get", "/repos/{owner}/{repo}", { params: { path: { owner, repo } } });
  return repository.data ? <OtherRepository value={repository.data}>{children}</OtherRepository> : null;
}
