# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The site, as Sphinx makes it: see docs/site/run."""

import os
import re

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform

project = "Mainstem"
author = "The Mainstem authors"
copyright = "2026, The Mainstem authors"
root_doc = "index"
html_theme = "furo"
html_title = "Mainstem"
html_extra_path = [os.environ["MAINSTEM_SITE_EXTRA"]]
html_copy_source = False
html_show_sphinx = False

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
breathe_projects = {"mainstem": os.environ["MAINSTEM_SITE_XML"]}
breathe_default_project = "mainstem"
breathe_domain_by_extension = {"h": "c"}
default_role = "code"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
add_module_names = False
suppress_warnings = [
    "duplicate_declaration.c",  # `typedef struct name name;` declares two things of one name.
    "myst.header",  # A page may begin its sections deeper than with the first level.
    "misc.highlighting_failure",
    "ref.python",  # `bytes` in a signature is the type, though classes have members of that name.
]

#: How a line of code begins in a docstring, where nothing else tells it from prose.
_CODE = re.compile(
    r"\s|@|(?:async |with |for |while |def |class |import |from |await )|[\w.]+ = |[\w.]+\(.*\)$"
)

_NAME = re.compile(r"\b(mainstem_[a-z_0-9]+|MAINSTEM_[A-Z_0-9]+|docs/[\w.-]+\.md)\b(?!\.h)")


class LinkNames(SphinxPostTransform):
    """Each name of the C interface, and of a page, leads there."""

    default_priority = 5

    def run(self, **kwargs):
        known = self._known()
        for text in list(self.document.findall(nodes.Text)):
            if self._is_within(text):
                continue
            parts, at = [], 0
            for found in _NAME.finditer(text):
                if found[1] not in known:
                    continue
                page, anchor = known[found[1]]
                reference = nodes.reference("", found[1], internal=True)
                target = self.app.builder.get_relative_uri(self.env.docname, page)
                reference["refuri"] = f"{target}#{anchor}" if anchor else target
                parts += [nodes.Text(text[at : found.start()]), reference]
                at = found.end()
            if parts:
                parts.append(nodes.Text(text[at:]))
                text.parent.replace(text, [part for part in parts if part.astext()])

    def _known(self):
        """Where each name is described, and each page that a header names."""
        found = {
            f"{page}.md": (page, "") for page in self.env.found_docs if page.startswith("docs/")
        }
        for name, _, _, page, anchor, _ in self.env.get_domain("c").get_objects():
            found.setdefault(name.split(".")[-1], (page, anchor))
        return found

    def _is_within(self, text):
        """Whether it is code to copy, a title, a link already, or what declares the name itself."""
        node = text.parent
        while node is not None:
            if isinstance(
                node, (nodes.literal_block, nodes.title, nodes.reference, pending_xref)
            ) or node.tagname.startswith("desc_"):
                return node.tagname not in ("desc_content",)
            node = node.parent
        return False


def mark_code(app, what, name, value, options, lines):
    """Examples in docstrings are paragraphs of code, without a mark."""
    made, paragraph = [], []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line)
            continue
        if any(_CODE.match(each) for each in paragraph) and not paragraph[0].startswith(
            ("- ", "* ")
        ):
            if not (made and made[-1].startswith("    ")):
                made += ["", ".. code-block:: python", ""]
            made += ["", *(f"    {each}" for each in paragraph)]
        else:
            made += ["", *paragraph]
        paragraph = []
    lines[:] = made


def setup(app):
    app.add_post_transform(LinkNames)
    app.connect("autodoc-process-docstring", mark_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
