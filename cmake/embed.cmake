# cmake -DOUTPUT=file.cpp -DHEADER=h.hpp -DNAMESPACE=a::b -DFILES=x.css,y.js -P embed.cmake
#
# Writes a source file with one function a text file: `x.css` becomes `std::string_view x_css()`. A raw string holds at most
# 65,536 characters by the standard, so long files become several that the compiler joins.
string(REPLACE "," ";" files "${FILES}")
set(text "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n")
foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME)
    string(MAKE_C_IDENTIFIER "${name}" function)
    file(READ "${file}" content)
    string(LENGTH "${content}" length)
    string(APPEND text "\nstd::string_view ${function}() {\n    return")
    set(offset 0)
    while(offset LESS length)
        string(SUBSTRING "${content}" ${offset} 10000 piece)
        string(APPEND text " R\"embedded(${piece})embedded\"")
        math(EXPR offset "${offset} + 10000")
    endwhile()
    string(APPEND text ";\n}\n")
endforeach()
string(APPEND text "\n}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUTPUT}" "${text}")
