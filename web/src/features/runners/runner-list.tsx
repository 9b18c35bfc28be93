/** The runners of the instance, an organization or a repository, and the way to one more. */
import { Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { text } from "../../text/runners.ts";
import { text as general } from "../../text/general.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { RegisterDialog } from "./register-dialog.tsx";
import { RunnerTable } from "./runner-table.tsx";
import { nameOf, runnersPerPage, useRunners, type RunnersOf } from "./use-runners.ts";

export interface RunnerListProps {
  of: RunnersOf;
  lead: ReactNode;
  /** False in an archived repository. */
  mayRegister: boolean;
  below?: ReactNode;
}

export function RunnerList({ of, lead, mayRegister, below }: RunnerListProps) {
  const runners = useRunners(of, usePageNumber());
  const [isOpen, setOpen] = useState(false);
  const button = mayRegister ? (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setOpen(true)}>
      {text.register}
    </Button>
  ) : null;
  const within = nameOf(of);
  const isEmpty = runners.data?.total === 0;
  return (
    <Page
      title={text.title}
      {...(within === undefined ? {} : { within })}
      lead={lead}
      actions={isEmpty ? null : button}
    >
      <QueryView query={runners}>
        {(found) => {
          if (found.total === 0)
            return (
              <EmptyState title={text.emptyTitle} action={button}>
                <p>
                  {text.empty} <a href="/docs/operations/runners">{text.documentation}</a>
                </p>
              </EmptyState>
            );
          if (found.runners.length === 0)
            return <EmptyState title={text.pastEnd} action={<Link to="?">{general.firstPage}</Link>} />;
          return (
            <>
              <RunnerTable runners={found.runners} />
              <Pager total={found.total} perPage={runnersPerPage} label={text.runnerPages} />
            </>
          );
        }}
      </QueryView>
      {below}
      {isOpen ? <RegisterDialog of={of} onClose={() => setOpen(false)} /> : null}
    </Page>
  );
}
