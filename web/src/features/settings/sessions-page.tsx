/** Where one is signed in. */
import { $api, api } from "../../api/client.ts";
import { sessions as words, text } from "../../text/settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Page } from "../../ui/page.tsx";
import { paged, pageQuery, PagedView } from "../../ui/paged-view.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { browserName } from "./browser-name.ts";
import styles from "./settings.module.css";

export function SessionsPage() {
  const sessions = $api.useInfiniteQuery("get", "/user/sessions", { params: { query: pageQuery } }, paged);
  const hasOthers = (sessions.data?.pages.flat().length ?? 0) > 1;
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
      <PagedView query={sessions} empty={null}>
        {(rows) => (
          <Table
            caption={text.sessions}
            rows={rows}
            keyOf={(row) => row.id}
            columns={[
              {
                title: words.where,
                wide: true,
                cell: (row) => (
                  <span title={row.user_agent} className={styles.break}>
                    {browserName(row.user_agent)}{" "}
                    {row.current ? <Badge tone="good">{words.here}</Badge> : null}
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
                    <div className={styles.actions}>
                      <ConfirmButton
                        label={words.end}
                        name={words.endName(browserName(row.user_agent))}
                        title={words.endTitle}
                        said={words.ended}
                        run={() => api.DELETE("/user/sessions/{id}", { params: { path: { id: row.id } } })}
                      >
                        <p>{words.endText}</p>
                      </ConfirmButton>
                    </div>
                  ),
              },
            ]}
          />
        )}
      </PagedView>
    </Page>
  );
}
