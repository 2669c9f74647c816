/** What a source may cost before it is refused. */
export interface RenderLimits {
  /** Characters of all files together. */
  text: number;
  /** Objects after lists are unfolded. */
  objects: number;
  /** Levels of maps and lists inside one document. */
  depth: number;
  /** Characters of one YAML document: reading YAML is slow enough to be kept busy by a hostile one. */
  document: number;
  /** Characters that aliases may add to one document. */
  aliasText: number;
  /** Characters that all mutations together may write: a few copies of copies grow without bound. */
  mutatedText: number;
}

export const RENDER_LIMITS: RenderLimits = {
  text: 64 * 1024 * 1024,
  objects: 10_000,
  depth: 200,
  document: 8 * 1024 * 1024,
  aliasText: 4 * 1024 * 1024,
  mutatedText: 16 * 1024 * 1024,
};
