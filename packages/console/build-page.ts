import { type BuildOptions, build } from 'esbuild';

/** How the page is bundled, wherever it is. */
export const PAGE_BUNDLE = {
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: ['es2022'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** Bundles the page's source in memory: its script and its style sheet. */
export async function buildPage(entry: string): Promise<{ readonly script: string; readonly style: string }> {
  const { outputFiles } = await build({ ...PAGE_BUNDLE, entryPoints: [entry], outdir: 'page', write: false });
  const text = (extension: string) => outputFiles.find(file => file.path.endsWith(extension))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}
