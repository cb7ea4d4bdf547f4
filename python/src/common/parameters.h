// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/matrices.h"

#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/** \file
 * \brief Structs of parameters and the algorithms that have them.
 */

namespace pcl_gpu_python {

namespace nb = nanobind;

/** \brief A member of a struct of parameters. */
template <typename Struct>
struct Field {
  std::string name;
  std::function<nb::object(const Struct&)> get;
  std::function<void(Struct&, nb::handle)> set;
  std::string type; ///< in signatures
};

/** \brief The members of a struct of parameters, in their order. */
template <typename Struct>
using Fields = std::vector<Field<Struct>>;

/** \brief Returns the fields of a struct that was bound. */
template <typename Struct>
Fields<Struct>&
fieldsOf()
{
  static auto* const fields = new Fields<Struct>(); // outlives the interpreter
  return *fields;
}

/** \brief Returns a type of Python's as signatures spell it. */
std::string
spelled(nb::handle type);

/** \brief Returns the type of a member as signatures spell it. */
template <typename Member>
struct MemberType {
  static std::string
  name()
  {
    if constexpr (nb::detail::is_base_caster_v<nb::detail::make_caster<Member>>)
      return spelled(nb::type<Member>());
    else
      return spelled(nb::cast(Member()).type());
  }
};

template <typename Value>
struct MemberType<std::optional<Value>> {
  static std::string
  name()
  {
    return MemberType<Value>::name() + " | None";
  }
};

template <typename Value>
struct MemberType<std::vector<Value>> {
  static std::string
  name()
  {
    return "list[" + MemberType<Value>::name() + "]";
  }
};

template <typename Key, typename Value>
struct MemberType<std::map<Key, Value>> {
  static std::string
  name()
  {
    return "dict[" + MemberType<Key>::name() + ", " + MemberType<Value>::name() + "]";
  }
};

/** \brief Returns the type of the values that a member may be set to: lists may be any
 * sequences, those of numbers arrays, too. */
std::string
argumentTypeOf(std::string type);

/** \brief Returns the type of the values that a member is read as. */
std::string
resultTypeOf(std::string type);

/** \brief Throws that a value of another type came. */
[[noreturn]] void
throwWrongType(const std::string& name, nb::handle value, const std::string& expected);

/** \brief Throws that there is no such parameter. */
[[noreturn]] void
throwUnknown(const std::string& name,
             const char* type,
             const std::vector<std::string>& known);

/** \brief Sets members by their names. */
template <typename Struct>
void
setFields(Struct& parameters, const nb::handle& values)
{
  const Fields<Struct>& fields = fieldsOf<Struct>();
  for (const auto& [key, value] : nb::borrow<nb::dict>(values)) {
    const std::string name = nb::cast<std::string>(key);
    const Field<Struct>* found = nullptr;
    for (const Field<Struct>& field : fields)
      if (field.name == name)
        found = &field;
    if (!found) {
      std::vector<std::string> known;
      for (const Field<Struct>& field : fields)
        known.push_back(field.name);
      const nb::object type = nb::type<Struct>().attr("__name__");
      throwUnknown(name, nb::cast<const char*>(type), known);
    }
    found->set(parameters, value);
  }
}

/** \brief Returns keyword arguments in a signature: ", name: type = default". */
template <typename Struct>
std::string
keywordsOf()
{
  const Struct defaults;
  std::string keywords;
  for (const Field<Struct>& field : fieldsOf<Struct>()) {
    const nb::object value = field.get(defaults);
    std::string text = "...";
    const std::string type = argumentTypeOf(field.type);
    if (value.is_none())
      text = "None";
    if (type == "float" || type == "int" || type == "bool" || type == "str")
      text = nb::cast<std::string>(nb::repr(value));
    if (text == "inf" || text == "-inf" || text == "nan")
      text = "...";
    keywords += ", " + field.name + ": " + type + " = " + text;
  }
  return keywords;
}

/** \brief Binds a struct of parameters: a constructor with keyword arguments, members,
 * `repr`, `==`, copies and pickles. */
template <typename Struct>
class ParametersBinding {
public:
  ParametersBinding(nb::handle scope, const char* name, const char* doc)
  : class_(scope, name, doc)
  {}

  /** \brief Adds a member. */
  template <typename Member, typename Owner>
  ParametersBinding&
  field(const char* name, Member Owner::*member, const char* doc = "")
  {
    const std::string label = name, type = MemberType<Member>::name();
    Field<Struct> field;
    field.name = name;
    field.type = type;
    field.get = [member](const Struct& parameters) {
      return nb::cast(parameters.*member, nb::rv_policy::copy);
    };
    field.set = [member, label, type](Struct& parameters, nb::handle value) {
      bool is_read = false;
      // Whole numbers become floating-point ones.
      constexpr bool is_floating = std::is_floating_point_v<Member> ||
                                   std::is_same_v<Member, std::vector<float>>;
      if constexpr (is_matrix_v<Member>)
        is_read = readMatrix(value, parameters.*member);
      else
        is_read = nb::try_cast(value, parameters.*member, is_floating);
      if (!is_read)
        throwWrongType(label, value, type);
    };
    const auto set = field.set;
    const auto assign = [set](Struct& parameters, const nb::object& value) {
      set(parameters, value);
    };
    const std::string getter_text = "def " + label + "(self) -> " + resultTypeOf(type);
    const std::string setter_text =
        "def " + label + "(self, value: " + argumentTypeOf(type) + ", /) -> None";
    // A reference to an optional matrix would not survive another value.
    constexpr bool is_optional_matrix =
        is_matrix_v<Member> && std::is_constructible_v<Member, std::nullopt_t>;
    if constexpr (std::is_class_v<Member> && !is_optional_matrix)
      class_.def_prop_rw(
          name,
          [member](Struct& parameters) -> Member& { return parameters.*member; },
          assign,
          nb::for_getter(nb::sig(getter_text.c_str())),
          nb::for_setter(nb::sig(setter_text.c_str())),
          nb::for_setter(nb::arg("value").none()),
          nb::rv_policy::reference_internal,
          doc);
    else
      class_.def_prop_rw(
          name,
          [member](const Struct& parameters) { return parameters.*member; },
          assign,
          nb::for_getter(nb::sig(getter_text.c_str())),
          nb::for_setter(nb::sig(setter_text.c_str())),
          nb::for_setter(nb::arg("value").none()),
          doc);
    fieldsOf<Struct>().push_back(std::move(field));
    return *this;
  }

  /** \brief Adds a member that Python has in another form, such as a function.
   * \param[in] type of the member in signatures
   */
  ParametersBinding&
  field(const char* name,
        const char* type,
        std::function<nb::object(const Struct&)> get,
        std::function<void(Struct&, nb::handle)> set,
        const char* doc)
  {
    const std::string label = name, type_name = type;
    const std::string getter_text = "def " + label + "(self) -> " + type_name;
    const std::string setter_text =
        "def " + label + "(self, value: " + argumentTypeOf(type_name) + ", /) -> None";
    class_.def_prop_rw(
        name,
        [get](const Struct& parameters) { return get(parameters); },
        [set](Struct& parameters, const nb::object& value) { set(parameters, value); },
        nb::for_getter(nb::sig(getter_text.c_str())),
        nb::for_setter(nb::sig(setter_text.c_str())),
        nb::for_setter(nb::arg("value").none()),
        doc);
    fieldsOf<Struct>().push_back({label, std::move(get), std::move(set), type_name});
    return *this;
  }

  /** \brief Adds what needs all members.
   * \return the class, for methods of its own
   */
  nb::class_<Struct>&
  finish()
  {
    const std::string signature =
        "def __init__(self, *" + keywordsOf<Struct>() + ") -> None";
    class_.def(
        "__init__",
        [](Struct* self, const nb::kwargs& values) {
          Struct parameters;
          setFields(parameters, values);
          new (self) Struct(std::move(parameters));
        },
        nb::sig(signature.c_str()),
        "Sets the members that are given; the others have their defaults.");
    class_.def("__repr__", [](nb::handle self) {
      const Struct& parameters = nb::cast<const Struct&>(self);
      std::string text = nb::cast<std::string>(self.type().attr("__name__")) + "(";
      const char* separator = "";
      for (const Field<Struct>& field : fieldsOf<Struct>()) {
        text += separator + field.name + "=" +
                nb::cast<std::string>(nb::repr(field.get(parameters)));
        separator = ", ";
      }
      return text + ")";
    });
    class_.def("__getstate__",
               &state,
               nb::sig("def __getstate__(self) -> dict[str, typing.Any]"));
    class_.def(
        "__setstate__",
        [](Struct& self, const nb::dict& values) {
          Struct parameters;
          setFields(parameters, values);
          new (&self) Struct(std::move(parameters));
        },
        nb::sig("def __setstate__(self, state: dict[str, typing.Any], /) -> None"));
    class_.def("__copy__", [](const Struct& self) { return Struct(self); });
    class_.def("__deepcopy__",
               [](const Struct& self, nb::handle) { return Struct(self); });
    class_.def("__eq__", [](const Struct& self, nb::handle other) {
      return nb::isinstance<Struct>(other) &&
             nb::repr(state(self))
                 .equal(nb::repr(state(nb::cast<const Struct&>(other))));
    });
    return class_;
  }

private:
  static nb::dict
  state(const Struct& parameters)
  {
    nb::dict values;
    for (const Field<Struct>& field : fieldsOf<Struct>())
      values[field.name.c_str()] = field.get(parameters);
    return values;
  }

  nb::class_<Struct> class_;
};

/** \brief Returns parameters that may be left out, or their defaults. */
template <typename Parameters>
Parameters
parametersOf(const Parameters* parameters)
{
  return parameters ? *parameters : Parameters();
}

/** \brief Returns the arguments that set the parameters of an algorithm. */
template <typename Parameters>
std::string
argumentsOf()
{
  const std::string type =
      nb::cast<std::string>(nb::type<Parameters>().attr("__name__"));
  return "parameters: " + type + " | None = None, *" + keywordsOf<Parameters>();
}

/** \brief Adds the parameters of an algorithm to its class, not the constructor. */
template <typename Bound, typename Parameters, typename... Bases>
void
defineParameterAccess(nb::class_<Bound, Bases...>& algorithm)
{
  const std::string setter =
      "def set_parameters(self, " + argumentsOf<Parameters>() + ") -> None";
  algorithm.def(
      "set_parameters",
      [](Bound& self, const Parameters* parameters, const nb::kwargs& values) {
        Parameters changed = parameters ? *parameters : self.getParameters();
        setFields(changed, values);
        self.setParameters(changed);
      },
      nb::arg("parameters").none() = nb::none(),
      nb::arg("values"),
      nb::sig(setter.c_str()),
      "Sets the parameters: those of a struct, and single ones by their names. Without "
      "a struct the others stay as they are.");
  algorithm.def(
      "get_parameters",
      [](const Bound& self) { return Parameters(self.getParameters()); },
      "Returns a copy of the parameters.");
}

/** \brief Adds the constructor and the parameters of an algorithm to its class.
 * \tparam Bound the algorithm, or a class that holds it
 */
template <typename Bound, typename Parameters, typename... Bases>
void
defineParameters(nb::class_<Bound, Bases...>& algorithm)
{
  const std::string constructor =
      "def __init__(self, " + argumentsOf<Parameters>() + ") -> None";
  algorithm.def(
      "__init__",
      [](Bound* self, const Parameters* parameters, const nb::kwargs& values) {
        Parameters changed = parametersOf(parameters);
        setFields(changed, values);
        new (self) Bound();
        try {
          if (parameters || values.size() > 0)
            self->setParameters(changed);
        }
        catch (...) {
          self->~Bound();
          throw;
        }
      },
      nb::arg("parameters").none() = nb::none(),
      nb::arg("values"),
      nb::sig(constructor.c_str()),
      "Sets the parameters: those of a struct, and single ones by their names.");
  defineParameterAccess<Bound, Parameters>(algorithm);
}

} // namespace pcl_gpu_python

/** \brief Adds a member of a struct in pcl::gpu, with its comment in the header. */
#define PCL_GPU_FIELD(Struct, member)                                                  \
  field(#member, &pcl::gpu::Struct::member, DOC(pcl, gpu, Struct, member))
