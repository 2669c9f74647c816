import { RenderError } from './errors.ts';
import { parseJsonStream } from './json.ts';
import { type DocumentLimits, parseLibraryYaml } from './libraryYaml.ts';
import { RENDER_LIMITS, type RenderLimits } from './limits.ts';
import { countLines, quote, SyntaxProblem } from './syntax.ts';

/** One document of a file. */
export interface YamlDocument {
  value: unknown;
  /** 1 is the first line of the file. */
  line: number;
}

/** Characters that YAML does not allow anywhere, not even in quotes. */
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u0084\u0086-\u009f\ufeff\ufffe\uffff]/;
const SEPARATOR = '---';

/**
 * Reads the documents of one file, YAML or JSON, as `kubectl apply -f` reads them.
 * Empty documents (nothing but comments) are left out.
 * @param file its name, for messages
 * @throws RenderError naming the line of the first thing wrong in each of its documents
 */
export function parseYaml(
  text: string,
  file: string,
  limits: DocumentLimits & Pick<RenderLimits, 'text'> = RENDER_LIMITS,
): YamlDocument[] {
  const source = plainText(text);
  const documents: YamlDocument[] = [];
  const problems = [];
  for (const part of splitDocuments(source, file, limits)) {
    try {
      documents.push(...parseDocument(part, limits));
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error;
      const line = part.line + countLines(part.text, 0, error.offset);
      problems.push({ where: `${file}:${line}`, what: error.message, remedy: error.remedy });
    }
  }
  if (problems.length > 0) throw new RenderError(problems.slice(0, 20), problems.length);
  return documents;
}

/** Without a byte order mark, and with the line ends that YAML makes of Windows' in every scalar. */
function plainText(text: string): string {
  const marked = text.startsWith('\ufeff') ? text.slice(1) : text;
  return marked.includes('\r') ? marked.replaceAll('\r\n', '\n') : marked;
}

interface Part {
  text: string;
  /** Line of the file that the text begins on. */
  line: number;
}

function splitDocuments(text: string, file: string, limits: Pick<RenderLimits, 'text'>): Part[] {
  if (text.length > limits.text) {
    throw new RenderError([
      {
        where: file,
        what: `${text.length} characters are more than the limit of ${limits.text}`,
        remedy: 'split it into several Releases',
      },
    ]);
  }
  const forbidden = FORBIDDEN.exec(text);
  if (forbidden !== null) throw forbiddenCharacter(text, file, forbidden.index);
  const parts: Part[] = [];
  let line = 1;
  let start = 0;
  for (;;) {
    const atSeparator = text.startsWith(SEPARATOR, start);
    if (atSeparator) {
      const end = lineEnd(text, start);
      checkSeparator(text.slice(start + SEPARATOR.length, end), file, line);
      start = Math.min(end + 1, text.length);
      line++;
    }
    const next = nextSeparator(text, start);
    parts.push({ text: ended(text.slice(start, next + 1)), line });
    if (next >= text.length) return parts;
    line += countLines(text, start, next + 1);
    start = next + 1;
  }
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** @returns the offset of the line end before the next separator, or of the end of the text */
function nextSeparator(text: string, start: number): number {
  if (text.startsWith(SEPARATOR, start)) return Math.max(start - 1, 0);
  const next = text.indexOf(`\n${SEPARATOR}`, start);
  return next < 0 ? text.length : next;
}

function checkSeparator(rest: string, file: string, line: number): void {
  const trimmed = rest.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return;
  throw new RenderError([
    {
      where: `${file}:${line}`,
      what: `${quote(trimmed)} stands behind --- on the same line`,
      remedy: 'begin the document on the next line',
    },
  ]);
}

function forbiddenCharacter(text: string, file: string, offset: number): RenderError {
  const code = text.charCodeAt(offset);
  const name =
    code === 0 ? 'a NUL byte' : `the control character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const line = countLines(text, 0, offset) + 1;
  return new RenderError([
    {
      where: `${file}:${line}`,
      what: `${name} is not allowed in YAML`,
      remedy: 'take it out, or use binaryData',
    },
  ]);
}

function parseDocument(part: Part, limits: DocumentLimits): YamlDocument[] {
  const { text } = part;
  return withLines(parseJsonDocument(text, limits.depth) ?? parseLibraryYaml(text, limits), part);
}

function withLines(values: { value: unknown; offset: number }[], { text, line }: Part): YamlDocument[] {
  const documents: YamlDocument[] = [];
  let counted = 0;
  for (const { value, offset } of values) {
    line += countLines(text, counted, offset);
    counted = Math.max(counted, offset);
    if (value !== null) documents.push({ value, line });
  }
  return documents;
}

/** A document that begins with a brace is JSON first; where it is none, a flow map of YAML. */
function parseJsonDocument(text: string, maxDepth: number): { value: unknown; offset: number }[] | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJsonStream(text, maxDepth);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return undefined;
  }
}
