/** The part of the package that is used; it comes without types. */
declare module 'linebreak' {
  class LineBreaker {
    constructor(text: string);
    /** The next place where a line may (or, if `required`, must) end. */
    nextBreak(): { position: number; required: boolean } | null;
  }
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default LineBreaker;
}
