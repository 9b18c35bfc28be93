/** A file: what can be done with it, and what is in it. */
import { Copy, Download, FileText, Link as Chain, Pencil, UserPen } from "lucide-react";
import { useNavigate, useLocation, useSearchParams, Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/contents.ts";
import { ButtonLink, IconButton } from "../../ui/button.tsx";
import { formatBytes } from "../../ui/size.ts";
import { showToast, showProblem } from "../../ui/toasts.tsx";
import { OwnersLine } from "../code-owners/owners-line.tsx";
import { isCommitId } from "../commits/commit-id.ts";
import { fileAddress, rawAddress } from "../repositories/addresses.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { AnnotatedCode } from "./annotated-code.tsx";
import { DeleteFile } from "./delete-file.tsx";
import { isImageName, isMarkdownName, textOf, type TextFile } from "./file-content.ts";
import styles from "./file-panel.module.css";
import { LatestCommit } from "./latest-commit.tsx";
import { MarkdownText } from "../markdown/markdown-text.tsx";
import { RepositoryImage } from "./repository-image.tsx";
import { useCanCommit } from "./use-can-commit.ts";
import type { FilePlace } from "./use-file-place.ts";
import { useLatestCommit } from "./use-latest-commit.ts";

type FileContents = Schemas["FileContents"];

export function FilePanel({ file, place }: { file: FileContents; place: FilePlace }) {
  const latest = useLatestCommit(place);
  const [query] = useSearchParams();
  const { hash } = useLocation();
  const content = file.type === "file" ? textOf(file) : undefined;
  const hasTwoViews = content !== undefined && (isMarkdownName(file.name) || isImageName(file.name));
  const isPlain = query.get("plain") === "1" || hash.startsWith("#L");
  return (
    <div className={styles.panel}>
      <LatestCommit commit={latest} gitRef={place.ref} path={place.path} />
      <OwnersLine place={place} />
      <div className={styles.bar}>
        <span className={styles.size}>
          {content ? `${text.lines(lineCount(content.text))} · ` : ""}
          {formatBytes(file.size)}
        </span>
        {hasTwoViews ? <Views isPlain={isPlain} /> : null}
        <Actions file={file} place={place} content={content} />
      </div>
      <Body file={file} place={place} content={content} isPlain={isPlain || !hasTwoViews} />
    </div>
  );
}

function Views({ isPlain }: { isPlain: boolean }) {
  return (
    <div className={styles.views}>
      <Link to="?" aria-current={isPlain ? undefined : "true"}>
        {text.preview}
      </Link>
      <Link to="?plain=1" aria-current={isPlain ? "true" : undefined}>
        {text.code}
      </Link>
    </div>
  );
}

interface ShownFile {
  file: FileContents;
  place: FilePlace;
  content: TextFile | undefined;
}

function Actions({ file, place, content }: ShownFile) {
  const repository = useRepository();
  const canCommit = useCanCommit(place.ref);
  const isForeign = useSession() !== null && !canWrite(repository) && !isCommitId(place.ref);
  if (file.type !== "file") return null;
  const raw = rawAddress(repository, place.ref, place.path);
  const copy = async () => {
    await navigator.clipboard.writeText(content?.text ?? "");
    showToast(text.copied);
  };
  return (
    <>
      {isCommitId(place.ref) ? null : <PermalinkButton place={place} />}
      {content ? (
        <>
          <IconButton label={text.copyFile} onClick={() => void copy()}>
            <Copy aria-hidden />
          </IconButton>
          <ButtonLink
            kind="quiet"
            icon={<UserPen aria-hidden />}
            to={fileAddress(repository, "blame", place)}
          >
            {text.blame}
          </ButtonLink>
          <ButtonLink kind="quiet" icon={<FileText aria-hidden />} to={raw} reloadDocument>
            {text.raw}
          </ButtonLink>
        </>
      ) : null}
      {canCommit ? <Changes file={file} place={place} content={content} /> : null}
      {isForeign && content?.isWhole ? <EditLink place={place} /> : null}
      <ButtonLink kind="quiet" icon={<Download aria-hidden />} to={raw} reloadDocument download={file.name}>
        {text.downloadFile}
      </ButtonLink>
    </>
  );
}

function Changes({ file, place, content }: ShownFile) {
  return (
    <>
      {content?.isWhole ? <EditLink place={place} /> : null}
      <DeleteFile file={file} branch={place.ref} />
    </>
  );
}

function EditLink({ place }: { place: FilePlace }) {
  return (
    <ButtonLink kind="quiet" icon={<Pencil aria-hidden />} to={fileAddress(useRepository(), "edit", place)}>
      {text.edit}
    </ButtonLink>
  );
}

/** Leads to the same file at the commit at which the branch or tag is now. */
function PermalinkButton({ place }: { place: FilePlace }) {
  const repository = useRepository();
  const path = useRepositoryPath();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const go = async () => {
    try {
      const query = { ref: place.ref, per_page: 1 };
      const { data } = await api.GET("/repos/{owner}/{repo}/commits", { params: { path, query } });
      const sha = data?.[0]?.sha;
      if (sha) await navigate(`${fileAddress(repository, "blob", { ref: sha, path: place.path })}${hash}`);
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <IconButton label={text.permalink} onClick={() => void go()}>
      <Chain aria-hidden />
    </IconButton>
  );
}

function Body({ file, place, content, isPlain }: ShownFile & { isPlain: boolean }) {
  const repository = useRepository();
  const raw = rawAddress(repository, place.ref, place.path);
  if (file.type === "submodule") return <div className={styles.words}>{text.submodule(file.sha)}</div>;
  if (file.type === "symlink") return <div className={styles.words}>{text.symlink(file.target ?? "")}</div>;
  if (file.lfs) return <div className={styles.words}>{text.lfs(formatBytes(file.lfs.size))}</div>;
  if (isImageName(file.name) && !(isPlain && content))
    return (
      <div className={styles.picture}>
        <RepositoryImage address={raw} name={file.name} alt={file.name} />
      </div>
    );
  if (!content)
    return <div className={styles.words}>{file.content === undefined ? text.tooLarge : text.binary}</div>;
  if (!isPlain && isMarkdownName(file.name))
    return (
      <div className={styles.body}>
        <MarkdownText
          source={content.text}
          place={{ repository, ref: place.ref, directory: place.path.split("/").slice(0, -1).join("/") }}
        />
      </div>
    );
  if (content.text === "") return <div className={styles.words}>{text.emptyFile}</div>;
  return <AnnotatedCode content={content.text} name={file.name} place={place} />;
}

function lineCount(content: string): number {
  return content === "" ? 0 : content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
}
