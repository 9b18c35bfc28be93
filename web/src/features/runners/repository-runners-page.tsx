/** The runners that serve one repository only: a page of its settings. */
import { text } from "../../text/runners.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { SigningKeys } from "./signing-keys.tsx";
import { RunnerList } from "./runner-list.tsx";

export function RepositoryRunnersPage() {
  const { archived } = useRepository();
  const path = useRepositoryPath();
  const keys = <SigningKeys of={path} mayCreate={!archived} />;
  return <RunnerList of={path} lead={text.repositoryLead} mayRegister={!archived} below={keys} />;
}
