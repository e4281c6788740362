#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""layers.py finds what it is there for: a small tree with faults planted."""
import pathlib
import tempfile
import unittest

import layers

TREE = {
    "sdk/include/lumarch/abi.h": "#include <stdint.h>\n",
    "sdk/include/lumarch/kernels.hpp": "#include <cmath>\n#include <lumarch/abi.h>\n",
    "plugins/cpu/a.cpp": '#include "b.hpp"\n#include <fftw3.h>\n#include <lumarch/kernels.hpp>\n',
    "plugins/cpu/b.hpp": "",
    "plugins/gpu/device.hpp": "#include <lumarch/abi.h>\n",
    "plugins/cuda/a.cu": '#include "../gpu/device.hpp"\n',
    "core/include/lumarch/run.hpp": "#include <string>\n",
    "core/problem/p.hpp": "#include <lumarch/run.hpp>\n",
    "core/march/m.hpp": '#include "problem/p.hpp"\n#include <lumarch/abi.h>\n',
    "core/backend/plugin.hpp": "#include <lumarch/abi.h>\n",
    "core/backend/plugin_library.cpp": "#include <boost/dll/shared_library.hpp>\n",
    "tools/bench/bench.hpp": "",
    "tools/lumarch/bench.cpp": '#include "bench/bench.hpp"\n',
    "tools/lumarch/x.cpp": "#include <lumarch/run.hpp>\n#include <boost/program_options.hpp>\n",
    "tools/conform/x.cpp": '#include "backend/plugin.hpp"\n#include <lumarch/abi.h>\n',
}


class Layers(unittest.TestCase):
    def faults(self, **extra):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for path, text in {**TREE, **extra.get("files", {})}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            return list(layers.faults_in(root))

    def test_good_tree(self):
        self.assertEqual(self.faults(), [])

    def test_planted(self):
        for path, text in [
            ("sdk/include/lumarch/bad.hpp", "#include <fftw3.h>\n"),
            ("sdk/include/lumarch/bad.hpp", "#include <lumarch/run.hpp>\n"),
            ("plugins/cpu/bad.cpp", "#include <lumarch/run.hpp>\n"),
            ("plugins/cpu/bad.cpp", '#include "../../core/march/m.hpp"\n'),
            ("plugins/other/bad.cpp", '#include "cpu/b.hpp"\n'),
            ("plugins/cpu/bad.cpp", '#include "../gpu/device.hpp"\n'),
            ("plugins/gpu/bad.hpp", '#include "../cuda/a.cu"\n'),
            ("core/problem/bad.cpp", '#include "march/m.hpp"\n'),
            ("core/march/bad.cpp", "#include <lumarch/kernels.hpp>\n"),
            ("core/include/lumarch/bad.hpp", '#include "march/m.hpp"\n'),
            ("core/backend/bad.cpp", "#include <boost/dll/shared_library.hpp>\n"),
            ("core/run/bad.cpp", '#include "lumarch/missing.hpp"\n'),
            ("tools/lumarch/bad.cpp", '#include "backend/plugin.hpp"\n'),
            ("tools/lumarch/bad.cpp", "#include <lumarch/abi.h>\n"),
            ("tools/bench/bad.cpp", '#include "lumarch/bench.cpp"\n'),
            ("tools/conform/bad.cpp", '#include "march/m.hpp"\n'),
        ]:
            with self.subTest(path=path, text=text):
                self.assertEqual(len(self.faults(files={path: text})), 1)


if __name__ == "__main__":
    unittest.main()
