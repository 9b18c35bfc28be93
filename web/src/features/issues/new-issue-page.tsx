/** Opens an issue. What was typed is kept while the tab is open; a link can fill in title, text and labels. */
import { useEffect, useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/issues.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { forgetDraft, keepDraft, readDraft } from "../markdown/draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { useLabels } from "../work-items/choices.tsx";
import { SideColumn } from "../work-items/side-column.tsx";
import { sideBody, type SideChange, type SideValues } from "../work-items/side-values.ts";
import { TwoColumns } from "../work-items/two-columns.tsx";
import { labelNames } from "./issue-filters.ts";

export function NewIssuePage() {
  const { full_name: fullName, archived } = useRepository();
  const session = useSession();
  const { pathname, search } = useLocation();
  if (!session)
    return (
      <EmptyState
        whole
        title={text.newTitle}
        action={<Link to={`/login?next=${encodeURIComponent(pathname + search)}`}>{text.signInToOpen}</Link>}
      />
    );
  return (
    <Page title={text.newTitle} within={fullName}>
      {/* Another link fills in something else. */}
      {archived ? null : <NewIssue key={search} />}
    </Page>
  );
}

const triaging: readonly string[] = ["triage", "write", "maintain", "admin"];
const nothingChosen: SideValues = { labels: [], assignees: [], milestone: null, due_on: null };

function NewIssue() {
  const { full_name: fullName, permissions } = useRepository();
  const [query] = useSearchParams();
  const draft = useDraft(query);
  const mayTriage = triaging.includes(permissions);
  const side = useSideValues(mayTriage ? labelNames(query.get("labels") ?? undefined) : []);
  const create = useCreate(() => draft.forget());
  const problems = fieldProblems(create.error);
  const form = (
    <Form
      submit={text.create}
      state={create}
      onSubmit={() => create.mutate({ title: draft.title, body: draft.body, ...side.body })}
    >
      <TextField
        label={text.titleField}
        required
        maxLength={255}
        autoComplete="off"
        autoFocus
        value={draft.title}
        problem={problems["title"]}
        onChange={(event) => draft.setTitle(event.target.value)}
      />
      <MarkdownField
        label={text.body}
        hint={text.bodyHint}
        value={draft.body}
        onChange={draft.setBody}
        place={{ repository: { full_name: fullName }, references: true }}
        draftKey={draft.key}
        problem={problems["body"]}
        rows={12}
      />
    </Form>
  );
  if (!mayTriage) return form;
  return (
    <TwoColumns side={<SideColumn values={side.values} mayTriage people={[]} save={side.save} />}>
      {form}
    </TwoColumns>
  );
}

/** Title and text, as they were left or as the address has them. */
function useDraft(query: URLSearchParams) {
  const { full_name: fullName } = useRepository();
  const key = `${fullName}/new-issue?${query.toString()}`;
  const titleKey = `${key} title`;
  const [title, setTitle] = useState(() => readDraft(titleKey) ?? query.get("title") ?? "");
  const [body, setBody] = useState(() => query.get("body") ?? "");
  useEffect(() => keepDraft(titleKey, title), [titleKey, title]);
  const forget = () => {
    forgetDraft(key);
    forgetDraft(titleKey);
  };
  return { key, title, setTitle, body, setBody, forget };
}

/** `names`: labels to begin with; those that do not exist are left out. */
function useSideValues(names: readonly string[]) {
  const [chosen, setChosen] = useState<SideChange>({});
  const known = useLabels();
  const first = (known ?? []).filter(({ name }) => names.includes(name));
  const values = { ...nothingChosen, labels: first, ...chosen };
  const save = async (change: SideChange) => setChosen((before) => ({ ...before, ...change }));
  return { values, save, body: sideBody({ ...(first.length > 0 ? { labels: first } : {}), ...chosen }) };
}

function useCreate(forget: () => void) {
  const path = useRepositoryPath();
  const navigate = useNavigate();
  const { full_name: fullName } = useRepository();
  return useChange(
    async (body: { title: string; body: string }) =>
      (await api.POST("/repos/{owner}/{repo}/issues", { params: { path }, body })).data,
    {
      onDone: async (issue) => {
        forget();
        if (issue) await navigate(`/${fullName}/issues/${issue.number}`);
      },
    },
  );
}
