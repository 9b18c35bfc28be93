/** Where one is signed in. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { sessions as words, text } from "../../text/settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";
import { browserName } from "./browser-name.ts";
import styles from "./settings.module.css";

export function SessionsPage() {
  const sessions = usePages(["/user/sessions"], (query) => api.GET("/user/sessions", { params: { query } }));
  const hasOthers = (sessions.data?.length ?? 0) > 1;
  return (
    <Page
      title={text.sessions}
      within={text.menu}
      lead={words.lead}
      actions={
        hasOthers ? (
          <ConfirmButton
            label={words.endAll}
            title={words.endAllTitle}
            said={words.ended}
            run={() => api.DELETE("/user/sessions")}
          >
            <p>{words.endAllText}</p>
          </ConfirmButton>
        ) : null
      }
    >
      <PagedTable
        pages={sessions}
        empty={null}
        caption={text.sessions}
        keyOf={(row) => row.id}
        columns={[
          {
            title: words.where,
            wide: true,
            cell: (row) => (
              <span title={row.user_agent} className={styles.break}>
                {browserName(row.user_agent)} {row.current ? <Badge tone="good">{words.here}</Badge> : null}
              </span>
            ),
          },
          { title: words.from, cell: (row) => <span>{row.ip_address}</span> },
          { title: words.by, cell: (row) => <span>{words.methods[row.method]}</span> },
          { title: words.seen, cell: (row) => <Time at={row.last_seen_at} /> },
          {
            title: "",
            label: text.actions,
            cell: (row) =>
              row.current ? null : (
                <RowActions>
                  <ConfirmButton
                    label={words.end}
                    name={words.endName(browserName(row.user_agent))}
                    title={words.endTitle}
                    said={words.ended}
                    run={() => api.DELETE("/user/sessions/{id}", { params: { path: { id: row.id } } })}
                  >
                    <p>{words.endText}</p>
                  </ConfirmButton>
                </RowActions>
              ),
          },
        ]}
      />
    </Page>
  );
}
