/**
 * A Markdown file as a page shows it; fetched when one is first shown (`markdown.tsx`). Markup in it passes a list of what is
 * harmless, then becomes React nodes: nothing that its writer wrote becomes markup of ours.
 */
import { Children, createContext, isValidElement, useContext, useEffect, type ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import { Link } from "react-router";
import rehypeRaw from "rehype-raw";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { CodeText } from "../code-text.tsx";
import { decodePart } from "../decode-part.ts";
import { RepositoryImage } from "../repository-image.tsx";
import { idPrefix, slugOf, targetOf, type MarkdownPlace } from "./links.ts";
import styles from "./markdown.module.css";

/** A link cannot hold another one. */
const InLink = createContext(false);
const Place = createContext<MarkdownPlace | undefined>(undefined);

const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== "picture" && name !== "source"),
};

export function RenderedMarkdown({ source, place }: { source: string; place: MarkdownPlace }) {
  useEffect(() => {
    // The browser looked for it before it was there.
    const wanted = decodePart(window.location.hash.slice(1));
    if (wanted.startsWith(idPrefix)) document.getElementById(wanted)?.scrollIntoView();
  }, []);
  return (
    <Place value={place}>
      <div className={styles.markdown}>
        <Markdown
          remarkPlugins={[remarkGfm]}
          rehypePlugins={[rehypeRaw, [rehypeSanitize, schema]]}
          components={components}
          // Addresses are judged where links and pictures are drawn.
          urlTransform={(url) => url}
        >
          {source}
        </Markdown>
      </div>
    </Place>
  );
}

/** Headings stand one level below the page's own. */
const components: Components = {
  h1: ({ children, id }) => (
    <h2 id={headingId(children, id)} className={styles.first}>
      {children}
    </h2>
  ),
  h2: ({ children, id }) => (
    <h3 id={headingId(children, id)} className={styles.second}>
      {children}
    </h3>
  ),
  h3: ({ children, id }) => <h4 id={headingId(children, id)}>{children}</h4>,
  h4: ({ children, id }) => <h5 id={headingId(children, id)}>{children}</h5>,
  h5: ({ children, id }) => <h6 id={headingId(children, id)}>{children}</h6>,
  a: ({ href, children, id }) => (
    <TextLink href={href} id={id}>
      {children}
    </TextLink>
  ),
  img: ({ src, alt, width, height }) => (
    <Picture src={typeof src === "string" ? src : undefined} alt={alt ?? ""} width={width} height={height} />
  ),
  table: ({ children }) => (
    // What scrolls must be reachable by keyboard.
    <div className={styles.scrolling} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  code: ({ children, className }) => {
    const language = /^language-(.+)$/.exec(className ?? "")?.[1];
    return (
      <code>
        {language && typeof children === "string" ? (
          <CodeText text={children} language={language} />
        ) : (
          children
        )}
      </code>
    );
  },
  input: ({ checked }) => <span className={styles.box}>{checked ? "☑" : "☐"}</span>,
};

function usePlace(): MarkdownPlace {
  const place = useContext(Place);
  if (!place) throw new Error("drawn outside of a Markdown file");
  return place;
}

function TextLink({
  href,
  id,
  children,
}: {
  href?: string | undefined;
  id?: string | undefined;
  children: ReactNode;
}) {
  const target = targetOf(href, usePlace());
  const inside = <InLink value>{children}</InLink>;
  switch (target.kind) {
    case "file":
      return <Link to={target.address}>{inside}</Link>;
    case "within":
      return (
        <a id={id} href={`#${target.hash}`}>
          {inside}
        </a>
      );
    case "outside":
      return (
        <a href={target.address} rel="nofollow noopener noreferrer">
          {inside}
        </a>
      );
    case "none":
      return <span id={id}>{children}</span>;
  }
}

interface PictureProps {
  src: string | undefined;
  alt: string;
  width?: string | number | undefined;
  height?: string | number | undefined;
}

/** Pictures of other hosts would tell these who is looking; they are links to them, or words where they stand in one. */
function Picture({ src, alt, width, height }: PictureProps) {
  const target = targetOf(src, usePlace());
  const isInLink = useContext(InLink);
  if (target.kind === "file")
    return (
      <RepositoryImage address={target.raw} name={target.path} alt={alt} width={width} height={height} />
    );
  const words = <span className={styles.outside}>{alt === "" ? (src ?? "").slice(0, 80) : alt}</span>;
  return isInLink ? words : <TextLink href={src}>{words}</TextLink>;
}

function headingId(children: ReactNode, written: string | undefined): string {
  return written ?? `${idPrefix}${slugOf(wordsOf(children))}`;
}

function wordsOf(node: ReactNode): string {
  return Children.toArray(node)
    .map((child) => {
      if (typeof child === "string" || typeof child === "number") return String(child);
      return isValidElement<{ children?: ReactNode }>(child) ? wordsOf(child.props.children) : "";
    })
    .join("");
}
