/** Copies a repository to an owner of one's choice, and goes to the copy. */
import { GitFork } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/repositories.ts";
import { Button } from "../../ui/button.tsx";

/** The button is on every page of a repository, and seldom pressed. */
const ForkDialog = lazy(async () => ({
  default: (await fetchPart(() => import("./fork-dialog.tsx"))).ForkDialog,
}));

export function ForkButton({ repository }: { repository: Schemas["Repository"] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<GitFork aria-hidden />} onClick={() => setOpen(true)}>
        {text.makeFork}
      </Button>
      <Suspense>
        {isOpen ? <ForkDialog repository={repository} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  );
}
