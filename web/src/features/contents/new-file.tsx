/** The link to a new file in a directory; for users with write access, at a branch. */
import { FilePlus } from "lucide-react";
import { text } from "../../text/contents.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { useCanCommit } from "./use-can-commit.ts";
import type { FilePlace } from "./use-file-place.ts";

export function NewFile({ place }: { place: FilePlace }) {
  const repository = useRepository();
  if (!useCanCommit(place.ref)) return null;
  return (
    <ButtonLink icon={<FilePlus aria-hidden />} to={fileAddress(repository, "new", place)}>
      {text.newFile}
    </ButtonLink>
  );
}
