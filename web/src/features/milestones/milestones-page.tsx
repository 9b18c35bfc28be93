/** The milestones of a repository, open or closed: seen by everyone, made and changed by those who maintain it. */
import { Link, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/milestones.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Segments } from "../../ui/segments.tsx";
import type { Column } from "../../ui/table.tsx";
import { useNow } from "../../ui/time.tsx";
import { mayMaintain } from "../environments/may-maintain.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { isOverdue } from "./is-overdue.ts";
import { MilestoneActions } from "./milestone-actions.tsx";
import { MilestoneFields, milestoneOf } from "./milestone-fields.tsx";
import styles from "./milestones-page.module.css";

type Milestone = Schemas["Milestone"];

export function MilestonesPage() {
  const repository = useRepository();
  const { full_name: fullName } = repository;
  const path = useRepositoryPath();
  const [query, setQuery] = useSearchParams();
  const state = query.get("state") === "closed" ? "closed" : "open";
  const pages = usePages(["milestones", fullName, state], (page) =>
    api.GET("/repos/{owner}/{repo}/milestones", { params: { path, query: { ...page, state } } }),
  );
  const mayChange = mayMaintain(repository) && !repository.archived;
  const actions: Column<Milestone>[] = mayChange
    ? [{ title: "", label: text.actions, cell: (each) => <MilestoneActions milestone={each} /> }]
    : [];
  return (
    <Page
      title={text.title}
      within={fullName}
      lead={text.lead}
      actions={
        <>
          <ButtonLink to={`/${fullName}/labels`}>{text.labels}</ButtonLink>
          {mayChange ? <AddMilestone /> : null}
        </>
      }
    >
      <p>
        <a href="/docs/labels#milestones">{text.docs}</a>
      </p>
      <Segments
        label={text.which}
        choices={text.states}
        value={state}
        onChange={(wanted) => setQuery(wanted === "open" ? {} : { state: wanted })}
      />
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        columns={[...columns, ...actions]}
        empty={<EmptyState title={text.none[state]}>{text.noneHint[state]}</EmptyState>}
      />
    </Page>
  );
}

const columns: Column<Milestone>[] = [
  { title: text.milestone, wide: true, cell: (milestone) => <About milestone={milestone} /> },
  { title: text.due, cell: (milestone) => <Due milestone={milestone} /> },
  { title: text.progress, cell: (milestone) => <Progress milestone={milestone} /> },
];

function About({ milestone: { title, description, state } }: { milestone: Milestone }) {
  const { full_name: fullName } = useRepository();
  const query = new URLSearchParams({ milestone: title, ...(state === "closed" ? { state } : {}) });
  return (
    <div>
      <strong>
        <Link to={`/${fullName}/issues?${query.toString()}`}>{title}</Link>
      </strong>
      {description === "" ? null : <div className={styles.description}>{description}</div>}
    </div>
  );
}

function Due({ milestone: { due_on: due, state } }: { milestone: Milestone }) {
  const now = useNow();
  if (due === null) return text.noDue;
  return (
    <span className={styles.due}>
      <time dateTime={due}>{text.dueOn(due)}</time>
      {state === "open" && isOverdue(due, now) ? <Badge tone="bad">{text.overdue}</Badge> : null}
    </span>
  );
}

function Progress({ milestone }: { milestone: Milestone }) {
  const { open_issues: open, closed_issues: closed } = milestone;
  const words = text.progressOf(closed, open + closed);
  return (
    <div className={styles.progress}>
      {open + closed === 0 ? null : <progress aria-label={words} value={closed} max={open + closed} />}
      <span>{words}</span>
    </div>
  );
}

function AddMilestone() {
  const path = useRepositoryPath();
  return (
    <FormButton
      label={text.add}
      title={text.add}
      submit={text.create}
      kind="primary"
      said={text.created}
      run={(values) =>
        api.POST("/repos/{owner}/{repo}/milestones", { params: { path }, body: milestoneOf(values) })
      }
    >
      {(problems) => <MilestoneFields problems={problems} />}
    </FormButton>
  );
}
