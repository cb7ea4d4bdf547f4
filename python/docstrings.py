# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Runs pybind11_mkdoc, which writes the comments of headers as C++ strings.

Reads all headers as one source. By itself pybind11_mkdoc reads PCL's headers anew for each
of them, which takes most of its time. Several joined sources may include the result.
"""

from pybind11_mkdoc import main, mkdoc_lib


def extract_all(args):
    parameters, headers = mkdoc_lib.read_args(args)
    source = "headers.cpp"
    text = "".join(f'#include "{header}"\n' for header in headers)
    index = mkdoc_lib.cindex.Index.create()
    unit = index.parse(source, parameters, [(source, text)])
    mkdoc_lib._report_diagnostics(source, unit)
    comments = []
    for header in headers:
        mkdoc_lib.extract(header, unit.cursor, "", comments, {})
    return comments


def write_once(comments, out_file):
    out_file.write("#pragma once\n\n")
    write_header(comments, out_file)


write_header = mkdoc_lib.write_header
mkdoc_lib.extract_all = extract_all
mkdoc_lib.write_header = write_once
main()
