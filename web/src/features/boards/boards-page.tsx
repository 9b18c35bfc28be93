/** The boards of a repository. */
import { Link, useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/boards.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import type { Column } from "../../ui/table.tsx";
import { mayMaintain } from "../environments/may-maintain.ts";
import { LabelChip } from "../labels/label-chip.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { BoardFields, boardOf } from "./board-fields.tsx";
import styles from "./boards-page.module.css";
import type { Board } from "./use-board.ts";

const all = "/repos/{owner}/{repo}/boards";

export function BoardsPage() {
  const repository = useRepository();
  const { full_name: fullName } = repository;
  const path = useRepositoryPath();
  const pages = usePages(["boards", fullName], (query) => api.GET(all, { params: { path, query } }));
  const add = mayMaintain(repository) && !repository.archived ? <AddBoard /> : null;
  return (
    <Page
      title={text.title}
      within={fullName}
      lead={text.lead}
      actions={
        <>
          <ButtonLink to={`/${fullName}/issues`}>{text.issues}</ButtonLink>
          {add}
        </>
      }
    >
      <p>
        <a href="/docs/boards">{text.docs}</a>
      </p>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        columns={columns}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
      />
    </Page>
  );
}

const columns: Column<Board>[] = [
  { title: text.name, cell: (board) => <Name board={board} /> },
  { title: text.columns, wide: true, cell: (board) => <Columns board={board} /> },
  { title: text.filter, cell: ({ filter }) => (filter === "" ? text.noFilter : <code>{filter}</code>) },
];

function Name({ board: { id, name } }: { board: Board }) {
  const { full_name: fullName } = useRepository();
  return <Link to={`/${fullName}/boards/${id}`}>{name}</Link>;
}

function Columns({ board }: { board: Board }) {
  return (
    <span className={styles.columns}>
      {board.columns.map(({ id, kind, label }) =>
        label ? (
          <LabelChip key={id} {...label} />
        ) : (
          <span key={id}>{kind === "open" ? text.open : text.closed}</span>
        ),
      )}
    </span>
  );
}

function AddBoard() {
  const path = useRepositoryPath();
  const { full_name: fullName } = useRepository();
  const navigate = useNavigate();
  return (
    <FormButton
      label={text.add}
      title={text.add}
      submit={text.create}
      kind="primary"
      said={text.created}
      run={(values) => api.POST(all, { params: { path }, body: boardOf(values) })}
      onDone={({ data }) => navigate(`/${fullName}/boards/${data!.id}`)}
    >
      {(problems) => <BoardFields problems={problems} />}
    </FormButton>
  );
}
