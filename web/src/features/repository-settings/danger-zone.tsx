/** Archiving, giving away and deleting a repository. */
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/repository-settings.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Section } from "../../ui/page.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./danger-zone.module.css";

export function DangerZone() {
  const { full_name: fullName, archived } = useRepository();
  const path = useRepositoryPath();
  const navigate = useNavigate();
  return (
    <Section title={text.endings}>
      <div className={styles.list}>
        {archived ? (
          <Ending hint={text.unarchiveHint}>
            <ConfirmButton
              label={text.unarchive}
              title={text.unarchive}
              kind="normal"
              said={text.unarchived}
              run={() => api.POST("/repos/{owner}/{repo}/unarchive", { params: { path } })}
            />
          </Ending>
        ) : (
          <Ending hint={text.archiveHint}>
            <ConfirmButton
              label={text.archive}
              title={text.archiveTitle(fullName)}
              said={text.archived}
              run={() => api.POST("/repos/{owner}/{repo}/archive", { params: { path } })}
            >
              <p>{text.archiveWarning}</p>
            </ConfirmButton>
          </Ending>
        )}
        <Ending hint={text.transferHint}>
          <ButtonLink to={`/${fullName}/transfer`} kind="danger">
            {text.transfer}
          </ButtonLink>
        </Ending>
        <Ending hint={text.deleteHint}>
          <ConfirmButton
            label={text.deleteIt}
            title={text.deleteTitle(fullName)}
            typeName={fullName}
            run={() => api.DELETE("/repos/{owner}/{repo}", { params: { path } })}
            gone={() => [path.owner, path.repo]}
            onDone={() => navigate(`/-/deleted/${fullName}`)}
          >
            <p>{text.deleteWarning}</p>
          </ConfirmButton>
        </Ending>
      </div>
    </Section>
  );
}

function Ending({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <div className={styles.ending}>
      <div>{hint}</div>
      {children}
    </div>
  );
}
