/** Links and pictures of a text in Markdown. */
import { createContext, useContext, type ReactNode } from "react";
import { Link } from "react-router";
import { RepositoryImage } from "../contents/repository-image.tsx";
import { targetOf } from "./targets.ts";
import styles from "./markdown.module.css";
import { useShownText } from "./text-context.ts";

/** A link cannot hold another one. */
const InLink = createContext(false);

interface TextLinkProps {
  href: string | undefined;
  /** An address of our own making. */
  isReference?: boolean;
  id?: string | undefined;
  "aria-label"?: string | undefined;
  "aria-describedby"?: string | undefined;
  children: ReactNode;
}

export function TextLink({ href, isReference = false, children, ...rest }: TextLinkProps) {
  const shown = useShownText();
  const inside = <InLink value>{children}</InLink>;
  if (isReference && href) return <Link to={href}>{inside}</Link>;
  const target = targetOf(href, shown);
  switch (target.kind) {
    case "file":
      return <Link to={target.address}>{inside}</Link>;
    case "within":
      return (
        <a {...rest} href={`#${target.hash}`}>
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
      return <span id={rest.id}>{children}</span>;
  }
}

interface PictureProps {
  src: string | undefined;
  alt: string;
  width?: string | number | undefined;
  height?: string | number | undefined;
}

/** Of this instance, which learns nothing new from whoever looks. */
function isAttachment(address: string): boolean {
  return address.startsWith(`${window.location.origin}/api/v1/attachments/atm_`);
}

/** Pictures of other hosts would tell these who is looking; they are links to them, or words where they stand in one. */
export function Picture({ src, alt, width, height }: PictureProps) {
  const target = targetOf(src, useShownText());
  const isInLink = useContext(InLink);
  if (target.kind === "outside" && isAttachment(target.address))
    return <img src={target.address} alt={alt} loading="lazy" width={width} height={height} />;
  if (target.kind === "file")
    return (
      <RepositoryImage address={target.raw} name={target.path} alt={alt} width={width} height={height} />
    );
  const words = <span className={styles.outside}>{alt === "" ? (src ?? "").slice(0, 80) : alt}</span>;
  return isInLink ? words : <TextLink href={src}>{words}</TextLink>;
}
